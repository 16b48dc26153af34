#include <stdlib.h>

#include "libjpeg_benchmark.h"
#include "session.h"

size_t libjpeg_crop(const uint8_t *jpeg, size_t count, libjpeg_part part, int quality,
                    uint8_t **buffer, unsigned long *capacity) {
  struct jpeg_decompress_struct in = {0};
  struct jpeg_compress_struct out = {0};
  escape escape;
  uint8_t *volatile line = NULL;
  unsigned char *file = *buffer;
  unsigned long size = *capacity;
  in.err = out.err = escape_init(&escape);
  if (setjmp(escape.target)) {
    jpeg_destroy_decompress(&in);
    jpeg_destroy_compress(&out);
    free(line);
    return 0;
  }
  jpeg_create_decompress(&in);
  jpeg_mem_src(&in, jpeg, count);
  jpeg_read_header(&in, TRUE);
  in.out_color_space = JCS_YCbCr;
  jpeg_start_decompress(&in);
  line = malloc(3 * (size_t)in.output_width);
  // The columns of whole MCUs: what lies left of the part is left out below.
  JDIMENSION left = part.x, width = part.width;
  jpeg_crop_scanline(&in, &left, &width);
  jpeg_skip_scanlines(&in, part.y);

  jpeg_create_compress(&out);
  jpeg_mem_dest(&out, &file, &size);
  out.image_width = part.width;
  out.image_height = part.height;
  out.input_components = 3;
  out.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&out);
  jpeg_set_quality(&out, quality, TRUE);
  jpeg_start_compress(&out, TRUE);
  while (out.next_scanline < part.height) {
    JSAMPROW row = line;
    jpeg_read_scanlines(&in, &row, 1);
    row = line + 3 * (part.x - left);
    jpeg_write_scanlines(&out, &row, 1);
  }
  jpeg_finish_compress(&out);
  jpeg_abort_decompress(&in);
  jpeg_destroy_decompress(&in);
  jpeg_destroy_compress(&out);
  free(line);
  if (file != *buffer) {
    free(*buffer);
    *buffer = file;
    *capacity = size;
  }
  return size;
}
