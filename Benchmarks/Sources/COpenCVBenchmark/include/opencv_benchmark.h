#ifndef OPENCV_BENCHMARK_H
#define OPENCV_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Looks for a card as programs with OpenCV usually do: grey, blurred, Canny's edges, contours, the
/// largest one of four convex corners. The frame is YUYV; `side` is the long side that it is shrunk
/// to first, 0 for none. Writes the corners, x and y in pixels of the frame, and returns 1, or 0.
int opencv_contours(const uint8_t *yuyv, int width, int height, size_t stride, int side,
                    double *corners);

/// The same with OpenCV's own example (squares.cpp), which asks more: edges, and eight thresholds,
/// of each of three channels.
int opencv_squares(const uint8_t *yuyv, int width, int height, size_t stride, int side,
                   double *corners);

/// Pulls the picture inside four corners straight, with `warpPerspective` and linear interpolation.
/// Pixels have three bytes, without padding; corners are x and y, clockwise, in pixels.
void opencv_warp(const uint8_t *pixels, int width, int height, const double *corners,
                 uint8_t *result, int result_width, int result_height);

/// Decodes a JPEG, crops it, and encodes the part again. Returns the file's size, or 0.
size_t opencv_crop(const uint8_t *jpeg, size_t count, int x, int y, int width, int height,
                   int quality);

/// Decodes a JPEG, pulls the picture inside four corners straight, and encodes it again. Returns
/// the file's size, or 0.
size_t opencv_rectify(const uint8_t *jpeg, size_t count, const double *corners, int result_width,
                      int result_height, int quality);

#ifdef __cplusplus
}
#endif

#endif
