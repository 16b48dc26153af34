#ifndef LIBJPEG_BENCHMARK_H
#define LIBJPEG_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/// A part of a picture, in pixels.
typedef struct libjpeg_part {
  unsigned x, y, width, height;
} libjpeg_part;

/// Encodes YUYV to 4:2:0 as uStreamer does: each line widened to pixels of three bytes, one call of
/// jpeg_write_scanlines for each, the library's other defaults. `*buffer`, of `*capacity` bytes,
/// takes the file, and grows where it must. Returns the file's size, or 0.
size_t libjpeg_encode_lines(const uint8_t *yuyv, unsigned width, unsigned height, size_t stride,
                            int quality, uint8_t **buffer, unsigned long *capacity);

/// Crops a JPEG to the pixel with libjpeg-turbo's partial decoding (jpeg_crop_scanline,
/// jpeg_skip_scanlines), in its own colours, to 4:2:0. The rest is as above.
size_t libjpeg_crop(const uint8_t *jpeg, size_t count, libjpeg_part part, int quality,
                    uint8_t **buffer, unsigned long *capacity);

#endif
