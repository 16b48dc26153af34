#include <stdlib.h>

#include "libjpeg_benchmark.h"
#include "session.h"

size_t libjpeg_encode_lines(const uint8_t *yuyv, unsigned width, unsigned height, size_t stride,
                            int quality, uint8_t **buffer, unsigned long *capacity) {
  struct jpeg_compress_struct codec = {0};
  escape escape;
  uint8_t *line = malloc(3 * (size_t)width);
  // libjpeg's memory takes the place of the buffer when that is too small, and its size is the
  // file's.
  unsigned char *file = *buffer;
  unsigned long size = *capacity;
  codec.err = escape_init(&escape);
  if (!line || setjmp(escape.target)) {
    jpeg_destroy_compress(&codec);
    free(line);
    return 0;
  }
  jpeg_create_compress(&codec);
  jpeg_mem_dest(&codec, &file, &size);
  codec.image_width = width;
  codec.image_height = height;
  codec.input_components = 3;
  codec.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < height) {
    const uint8_t *from = yuyv + codec.next_scanline * stride;
    uint8_t *to = line;
    for (unsigned x = 0; x + 1 < width; x += 2, from += 4) {
      uint8_t cb = from[1], cr = from[3];
      *to++ = from[0], *to++ = cb, *to++ = cr;
      *to++ = from[2], *to++ = cb, *to++ = cr;
    }
    jpeg_write_scanlines(&codec, &line, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  free(line);
  if (file != *buffer) {
    free(*buffer);
    *buffer = file;
    *capacity = size;
  }
  return size;
}
