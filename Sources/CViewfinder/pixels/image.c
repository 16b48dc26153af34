#include "pixels/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/// Rows start at multiples of this: a cache line, and a full vector of every instruction set.
#define ALIGNMENT ((size_t)64)

int vf_image_view(vf_image *image, uint32_t fourcc, uint32_t width, uint32_t height, size_t stride,
                  const uint8_t *bytes, size_t count, vf_failure *failure) {
  const char *step = "image view";
  const vf_layout_detail *detail = vf_layout_detail_find(fourcc);
  if (!detail)
    return vf_fail(failure, ENOTSUP, step, "unknown pixel layout 0x%08x", fourcc);
  if (!vf_size_is_possible(width, height))
    return vf_fail(failure, EINVAL, step, "%u x %u", width, height);
  vf_placement placement;
  if (!vf_layout_place(detail, width, height, stride, &placement))
    return vf_fail(failure, EINVAL, step, "stride %zu", stride);
  if (count < placement.size) {
    return vf_fail(failure, EBADMSG, step, "%zu bytes where %s %u x %u takes %zu", count,
                   detail->layout.name, width, height, placement.size);
  }
  *image = (vf_image){.fourcc = fourcc, .width = width, .height = height};
  for (uint32_t plane = 0; plane < detail->layout.plane_count; plane++) {
    // A view is only read, so dropping `const` here is safe.
    image->planes[plane].data = (uint8_t *)(uintptr_t)(bytes + placement.offsets[plane]);
    image->planes[plane].stride = placement.strides[plane];
  }
  return 0;
}

int vf_image_create(vf_image *image, uint32_t fourcc, uint32_t width, uint32_t height,
                    int with_alpha, vf_failure *failure) {
  const char *step = "image";
  const vf_layout_detail *detail = vf_layout_detail_find(fourcc);
  if (!detail)
    return vf_fail(failure, ENOTSUP, step, "unknown pixel layout 0x%08x", fourcc);
  if (!vf_size_is_possible(width, height))
    return vf_fail(failure, EINVAL, step, "%u x %u", width, height);

  vf_image created = {.fourcc = fourcc, .width = width, .height = height};
  size_t offsets[4] = {0}, total = 0;
  for (uint32_t plane = 0; plane < 4; plane++) {
    size_t row_bytes = width, rows = height, bytes;
    if (plane == 3) {
      if (!with_alpha)
        continue;
    } else {
      if (plane >= detail->layout.plane_count)
        continue;
      vf_layout_plane_size(detail, width, height, plane, &row_bytes, &rows);
    }
    size_t stride = (row_bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    (plane < 3 ? &created.planes[plane] : &created.alpha)->stride = stride;
    offsets[plane] = total;
    if (__builtin_mul_overflow(stride, rows, &bytes) ||
        __builtin_add_overflow(total, bytes, &total)) {
      return vf_fail(failure, ENOMEM, step, NULL);
    }
  }
  uint8_t *storage = aligned_alloc(ALIGNMENT, total);
  if (!storage)
    return vf_fail(failure, ENOMEM, step, "%zu bytes", total);
  for (uint32_t plane = 0; plane < 3; plane++) {
    if (created.planes[plane].stride)
      created.planes[plane].data = storage + offsets[plane];
  }
  if (with_alpha)
    created.alpha.data = storage + offsets[3];
  created.storage = storage;
  *image = created;
  return 0;
}

void vf_image_free(vf_image *image) {
  free(image->storage);
  *image = (vf_image){0};
}

int vf_image_check(const vf_image *image, const char *step, vf_failure *failure) {
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  if (!detail)
    return vf_fail(failure, ENOTSUP, step, "pixel layout 0x%08x", image->fourcc);
  if (!vf_size_is_possible(image->width, image->height)) {
    return vf_fail(failure, EINVAL, step, "%u x %u", image->width, image->height);
  }
  for (uint32_t plane = 0; plane < detail->layout.plane_count; plane++) {
    size_t row_bytes, rows;
    vf_layout_plane_size(detail, image->width, image->height, plane, &row_bytes, &rows);
    if (!image->planes[plane].data || image->planes[plane].stride < row_bytes) {
      return vf_fail(failure, EINVAL, step, "plane %u is missing or too narrow", plane);
    }
  }
  if (image->alpha.data && image->alpha.stride < image->width) {
    return vf_fail(failure, EINVAL, step, "the alpha plane is too narrow");
  }
  return 0;
}

void vf_image_plane_size(const vf_image *image, uint32_t plane, uint32_t *width, uint32_t *height) {
  const vf_layout *layout = vf_layout_find(image->fourcc);
  bool chroma = layout && (plane == 1 || plane == 2);
  *width = vf_subsampled(image->width, chroma ? layout->chroma_shift_x : 0);
  *height = vf_subsampled(image->height, chroma ? layout->chroma_shift_y : 0);
}

vf_image vf_image_part(const vf_image *image, uint32_t x, uint32_t y, uint32_t width,
                       uint32_t height) {
  vf_image part = *image;
  part.width = width;
  part.height = height;
  part.storage = NULL;
  const vf_layout_detail *detail = vf_layout_detail_find(image->fourcc);
  if (!detail)
    return part;
  for (uint32_t plane = 0; plane < detail->layout.plane_count; plane++) {
    // What lies before (x, y) takes as many bytes and rows as an image of that size.
    size_t bytes = 0, rows = 0;
    if (x || y)
      vf_layout_plane_size(detail, x, y, plane, &bytes, &rows);
    part.planes[plane].data += rows * part.planes[plane].stride + bytes;
  }
  if (part.alpha.data)
    part.alpha.data += y * part.alpha.stride + x;
  return part;
}

void vf_plane_copy(const vf_plane *result, const vf_plane *source, size_t bytes, size_t height) {
  for (size_t y = 0; y < height; y++)
    memcpy(vf_row(result, y), vf_row(source, y), bytes);
}
