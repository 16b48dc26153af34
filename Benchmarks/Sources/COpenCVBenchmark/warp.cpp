#include "opencv_benchmark.h"

#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace {

/// The map from the picture to the result, as OpenCV takes it: pixels' middles are whole numbers.
cv::Mat map_of(const double *corners, int width, int height) {
  std::vector<cv::Point2f> from, to = {{-0.5f, -0.5f},
                                       {width - 0.5f, -0.5f},
                                       {width - 0.5f, height - 0.5f},
                                       {-0.5f, height - 0.5f}};
  for (int i = 0; i < 4; i++)
    from.push_back({float(corners[2 * i] - 0.5), float(corners[2 * i + 1] - 0.5)});
  return cv::getPerspectiveTransform(from, to);
}

cv::Mat decode(const uint8_t *jpeg, size_t count) {
  cv::Mat bytes(1, int(count), CV_8UC1, const_cast<uint8_t *>(jpeg));
  return cv::imdecode(bytes, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
}

size_t encoded_size(const cv::Mat &picture, int quality) {
  std::vector<uint8_t> file;
  cv::imencode(".jpg", picture, file, {cv::IMWRITE_JPEG_QUALITY, quality});
  return file.size();
}

} // namespace

void opencv_warp(const uint8_t *pixels, int width, int height, const double *corners,
                 uint8_t *result, int result_width, int result_height) {
  cv::setNumThreads(1);
  cv::Mat source(height, width, CV_8UC3, const_cast<uint8_t *>(pixels));
  cv::Mat straight(result_height, result_width, CV_8UC3, result);
  cv::warpPerspective(source, straight, map_of(corners, result_width, result_height),
                      straight.size(), cv::INTER_LINEAR);
}

size_t opencv_crop(const uint8_t *jpeg, size_t count, int x, int y, int width, int height,
                   int quality) {
  cv::setNumThreads(1);
  cv::Mat source = decode(jpeg, count);
  if (source.empty())
    return 0;
  return encoded_size(source(cv::Rect(x, y, width, height)), quality);
}

size_t opencv_rectify(const uint8_t *jpeg, size_t count, const double *corners, int result_width,
                      int result_height, int quality) {
  cv::setNumThreads(1);
  cv::Mat source = decode(jpeg, count), straight;
  if (source.empty())
    return 0;
  cv::warpPerspective(source, straight, map_of(corners, result_width, result_height),
                      cv::Size(result_width, result_height), cv::INTER_LINEAR);
  return encoded_size(straight, quality);
}
