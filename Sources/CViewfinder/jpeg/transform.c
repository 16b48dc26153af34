#include "jpeg/transform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/coefficients.h"
#include "jpeg/scans.h"

/// Bytes that the packed coefficients of the picture, and of the part, may take each.
#define MOST_COEFFICIENTS ((size_t)384 << 20)

typedef struct transformer {
  struct jpeg_decompress_struct source;
  struct jpeg_compress_struct target;
  /// Both codecs report to it.
  vf_jpeg_error error;
  struct jpeg_progress_mgr progress;
  vf_coefficients read, written;
  jvirt_barray_ptr copies[MAX_COMPONENTS];
  /// What libjpeg allocates for the result.
  unsigned char *output;
  unsigned long output_count;
} transformer;

/// Copies the blocks of a component from (x, y) on. Those past the picture's edge stay zero.
static void copy_blocks(transformer *transformer, int index, jvirt_barray_ptr from, JDIMENSION x,
                        JDIMENSION y, JDIMENSION width, JDIMENSION height) {
  j_common_ptr source = (j_common_ptr)&transformer->source;
  j_common_ptr target = (j_common_ptr)&transformer->target;
  const jpeg_component_info *component = &transformer->source.comp_info[index];
  JDIMENSION across =
      component->width_in_blocks - x < width ? component->width_in_blocks - x : width;
  for (JDIMENSION row = 0; row < height && y + row < component->height_in_blocks; row++) {
    JBLOCKARRAY in = source->mem->access_virt_barray(source, from, y + row, 1, FALSE);
    JBLOCKARRAY out =
        target->mem->access_virt_barray(target, transformer->copies[index], row, 1, TRUE);
    memcpy(out[0], in[0] + x, across * sizeof(JBLOCK));
  }
}

static JDIMENSION blocks_of(uint32_t length, int sampling, int most) {
  uint64_t unit = 8 * (uint64_t)most, mcus = (length + unit - 1) / unit;
  return (JDIMENSION)(mcus * (unsigned)sampling);
}

static void request_copies(transformer *transformer, const vf_rectangle *part) {
  j_compress_ptr target = &transformer->target;
  for (int i = 0; i < target->num_components; i++) {
    const jpeg_component_info *component = &target->comp_info[i];
    int across = component->h_samp_factor, down = component->v_samp_factor;
    transformer->copies[i] = target->mem->request_virt_barray(
        (j_common_ptr)target, JPOOL_IMAGE, TRUE,
        blocks_of(part->width, across, transformer->source.max_h_samp_factor),
        blocks_of(part->height, down, transformer->source.max_v_samp_factor), (JDIMENSION)down);
  }
}

static void copy_part(transformer *transformer, jvirt_barray_ptr *arrays,
                      const vf_rectangle *part) {
  j_decompress_ptr source = &transformer->source;
  for (int i = 0; i < source->num_components; i++) {
    const jpeg_component_info *component = &source->comp_info[i];
    int across = component->h_samp_factor, down = component->v_samp_factor;
    // An edge that lies at an MCU lies at a block, too.
    uint64_t x = (uint64_t)part->x * (unsigned)across / (8 * (unsigned)source->max_h_samp_factor);
    uint64_t y = (uint64_t)part->y * (unsigned)down / (8 * (unsigned)source->max_v_samp_factor);
    copy_blocks(transformer, i, arrays[i], (JDIMENSION)x, (JDIMENSION)y,
                blocks_of(part->width, across, source->max_h_samp_factor),
                blocks_of(part->height, down, source->max_v_samp_factor));
  }
}

static int transform_guarded(transformer *transformer, const uint8_t *bytes, size_t count,
                             const vf_rectangle *part, vf_failure *failure) {
  j_decompress_ptr source = &transformer->source;
  j_compress_ptr target = &transformer->target;
  if (setjmp(transformer->error.escape))
    return vf_jpeg_error_report(&transformer->error, "JPEG crop", failure);

  jpeg_create_decompress(source);
  jpeg_create_compress(target);
  transformer->progress.progress_monitor = vf_jpeg_limit_scans;
  source->progress = &transformer->progress;
  jpeg_mem_src(source, bytes, count);
  jpeg_read_header(source, TRUE);
  vf_coefficients_hold(&transformer->read, (j_common_ptr)source, MOST_COEFFICIENTS);
  jvirt_barray_ptr *arrays = jpeg_read_coefficients(source);
  if (transformer->error.manager.num_warnings)
    return vf_fail(failure, EBADMSG, "JPEG crop",
                   "it is damaged or cut short; copy it again from where it came from");

  jpeg_mem_dest(target, &transformer->output, &transformer->output_count);
  jpeg_copy_critical_parameters(source, target);
  target->image_width = part->width;
  target->image_height = part->height;
  target->write_JFIF_header = FALSE;
  target->write_Adobe_marker = FALSE;
  vf_coefficients_hold(&transformer->written, (j_common_ptr)target, MOST_COEFFICIENTS);
  request_copies(transformer, part);
  copy_part(transformer, arrays, part);
  jpeg_write_coefficients(target, transformer->copies);
  jpeg_finish_compress(target);
  return 0;
}

int vf_jpeg_transform(vf_buffer *result, const uint8_t *bytes, size_t count,
                      const vf_rectangle *part, vf_failure *failure) {
  transformer *transformer = calloc(1, sizeof *transformer);
  if (!transformer)
    return vf_fail(failure, ENOMEM, "calloc", NULL);
  transformer->source.err = vf_jpeg_error_init(&transformer->error);
  transformer->target.err = transformer->source.err;
  int failed = transform_guarded(transformer, bytes, count, part, failure);
  jpeg_destroy_compress(&transformer->target);
  jpeg_destroy_decompress(&transformer->source);
  vf_coefficients_free(&transformer->read);
  vf_coefficients_free(&transformer->written);
  if (failed)
    free(transformer->output);
  else
    *result = (vf_buffer){.bytes = transformer->output, .count = transformer->output_count};
  free(transformer);
  return failed;
}
