#include "opencv_benchmark.h"

#include <algorithm>
#include <cmath>
#include <vector>

#if !__has_include(<opencv2/core.hpp>)
#error "Build with Scripts/bench, or with CPLUS_INCLUDE_PATH=/usr/include/opencv4: OpenCV isn't found."
#endif
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace {

using Points = std::vector<cv::Point>;

double cosine(cv::Point a, cv::Point b, cv::Point corner) {
  cv::Point2d u = a - corner, v = b - corner;
  return u.dot(v) / std::sqrt(u.dot(u) * v.dot(v) + 1e-10);
}

/// The largest convex quadrilateral among contours, if it is larger than `best`.
void find_quad(const cv::Mat &edges, Points &quad, double &best) {
  std::vector<Points> contours;
  cv::findContours(edges, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
  for (const Points &contour : contours) {
    Points corners;
    cv::approxPolyDP(contour, corners, 0.02 * cv::arcLength(contour, true), true);
    if (corners.size() != 4 || !cv::isContourConvex(corners))
      continue;
    double area = std::fabs(cv::contourArea(corners)), most = 0;
    for (int i = 0; i < 4; i++)
      most = std::max(most, std::fabs(cosine(corners[(i + 3) % 4], corners[(i + 1) % 4],
                                             corners[i])));
    // Not the picture's own border.
    if (area > best && most < 0.5 && area < 0.95 * edges.total()) {
      best = area;
      quad = corners;
    }
  }
}

cv::Mat shrunk(const cv::Mat &picture, int side) {
  int longest = std::max(picture.cols, picture.rows);
  if (side <= 0 || side >= longest)
    return picture;
  cv::Mat result;
  double scale = double(side) / longest;
  cv::resize(picture, result, cv::Size(), scale, scale, cv::INTER_AREA);
  return result;
}

int answer(const Points &quad, double scale, double *corners) {
  for (size_t i = 0; i < quad.size(); i++) {
    corners[2 * i] = (quad[i].x + 0.5) * scale;
    corners[2 * i + 1] = (quad[i].y + 0.5) * scale;
  }
  return quad.size() == 4;
}

cv::Mat frame(const uint8_t *yuyv, int width, int height, size_t stride) {
  cv::setNumThreads(1);
  return cv::Mat(height, width, CV_8UC2, const_cast<uint8_t *>(yuyv), stride);
}

} // namespace

int opencv_contours(const uint8_t *yuyv, int width, int height, size_t stride, int side,
                    double *corners) {
  cv::Mat grey, edges;
  cv::cvtColor(frame(yuyv, width, height, stride), grey, cv::COLOR_YUV2GRAY_YUYV);
  grey = shrunk(grey, side);
  cv::GaussianBlur(grey, edges, cv::Size(5, 5), 0);
  cv::Canny(edges, edges, 75, 200);
  cv::dilate(edges, edges, cv::Mat());
  Points quad;
  double best = 0.006 * edges.total();
  find_quad(edges, quad, best);
  return answer(quad, double(width) / edges.cols, corners);
}

int opencv_squares(const uint8_t *yuyv, int width, int height, size_t stride, int side,
                   double *corners) {
  enum { LEVELS = 8 };
  cv::Mat colour;
  cv::cvtColor(frame(yuyv, width, height, stride), colour, cv::COLOR_YUV2BGR_YUYV);
  colour = shrunk(colour, side);
  cv::GaussianBlur(colour, colour, cv::Size(5, 5), 0);
  std::vector<cv::Mat> channels;
  cv::split(colour, channels);
  Points quad;
  double best = 0.006 * colour.total();
  for (const cv::Mat &channel : channels) {
    for (int level = 0; level < LEVELS; level++) {
      cv::Mat edges;
      if (level == 0) {
        cv::Canny(channel, edges, 0, 50, 5);
        cv::dilate(edges, edges, cv::Mat());
      } else {
        edges = channel >= level * 256 / LEVELS;
      }
      find_quad(edges, quad, best);
    }
  }
  return answer(quad, double(width) / colour.cols, corners);
}
