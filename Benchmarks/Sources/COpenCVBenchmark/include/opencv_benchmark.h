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

#ifdef __cplusplus
}
#endif

#endif
