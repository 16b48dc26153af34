#include "jpeg/coefficients.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// Bytes of a packed block at most: which octets of the mask follow, the mask, and 64
  /// coefficients.
  PACKED_BLOCK = 1 + 8 + DCTSIZE2 * 3,
  /// Bytes that are given back at a time.
  GIVEN_BACK = 16 << 20,
};

/// The blocks of one component.
typedef struct vf_coefficient_array {
  JDIMENSION blocks, rows;
  /// Packed rows; NULL where all is zero.
  uint8_t *_Nullable *packed;
  size_t *sizes;
  /// The rows that libjpeg sees, from `first` on.
  JBLOCKROW *window;
  JBLOCK *memory;
  JDIMENSION capacity, first, count;
  /// Packed rows before this one have been released.
  JDIMENSION released;
  bool is_dirty;
} array;

static void array_free(array *array) {
  if (!array)
    return;
  for (JDIMENSION y = 0; array->packed && y < array->rows; y++)
    free(array->packed[y]);
  free(array->packed);
  free(array->sizes);
  free(array->window);
  free(array->memory);
  free(array);
}

/// Packs a block: an octet that tells which octets of the mask follow, the mask of the coefficients
/// that aren't zero, and these, seven bits a byte, the sign lowest.
static uint8_t *pack_block(uint8_t *out, const JCOEF *block) {
  uint8_t *octets = out++, *values = out + 8, *end = values;
  *octets = 0;
  for (int octet = 0; octet < 8; octet++) {
    unsigned mask = 0;
    for (int i = 0; i < 8; i++) {
      int value = block[8 * octet + i];
      if (!value)
        continue;
      mask |= 1u << i;
      unsigned rest = value < 0 ? 2u * (unsigned)-value - 1 : 2u * (unsigned)value;
      for (; rest > 127; rest >>= 7)
        *end++ = (uint8_t)(rest | 128);
      *end++ = (uint8_t)rest;
    }
    if (!mask)
      continue;
    *octets |= (uint8_t)(1u << octet);
    *out++ = (uint8_t)mask;
  }
  memmove(out, values, (size_t)(end - values));
  return out + (end - values);
}

static const uint8_t *unpack_block(JCOEF *block, const uint8_t *in) {
  memset(block, 0, sizeof(JBLOCK));
  unsigned octets = *in++;
  const uint8_t *masks = in;
  in += __builtin_popcount(octets);
  for (; octets; octets &= octets - 1) {
    JCOEF *part = block + 8 * __builtin_ctz(octets);
    for (unsigned mask = *masks++; mask; mask &= mask - 1) {
      unsigned rest = 0;
      int shift = 0;
      for (; *in & 128; shift += 7)
        rest |= (*in++ & 127u) << shift;
      rest |= (unsigned)*in++ << shift;
      int value = rest & 1 ? -(int)(rest / 2) - 1 : (int)(rest / 2);
      part[__builtin_ctz(mask)] = (JCOEF)value;
    }
  }
  return in;
}

static bool is_zero(const JBLOCK *blocks, JDIMENSION count) {
  const JCOEF *values = blocks[0];
  return values[0] == 0 &&
         memcmp(values, values + 1, (size_t)count * sizeof(JBLOCK) - sizeof(JCOEF)) == 0;
}

static void pack_row(j_common_ptr codec, array *array, JDIMENSION y, const JBLOCK *blocks) {
  vf_coefficients *coefficients = codec->client_data;
  uint8_t *end = coefficients->scratch;
  if (!is_zero(blocks, array->blocks))
    for (JDIMENSION x = 0; x < array->blocks; x++)
      end = pack_block(end, blocks[x]);
  size_t size = (size_t)(end - coefficients->scratch);

  coefficients->held -= array->sizes[y];
  free(array->packed[y]);
  array->packed[y] = NULL;
  array->sizes[y] = 0;
  if (!size)
    return;
  if (size > coefficients->limit - coefficients->held)
    vf_jpeg_raise(codec, EFBIG, "a picture in several scans that takes too much memory");
  array->packed[y] = malloc(size);
  if (!array->packed[y])
    vf_jpeg_raise(codec, ENOMEM, "no memory for a picture in several scans");
  memcpy(array->packed[y], coefficients->scratch, size);
  array->sizes[y] = size;
  coefficients->held += size;
}

static void unpack_row(const array *array, JDIMENSION y, JBLOCK *blocks) {
  const uint8_t *in = array->packed[y];
  if (!in)
    memset(blocks, 0, (size_t)array->blocks * sizeof(JBLOCK));
  for (JDIMENSION x = 0; in && x < array->blocks; x++)
    in = unpack_block(blocks[x], in);
}

/// Gives released memory back to the system: a row is too small for malloc to do so by itself.
static void give_back(vf_coefficients *coefficients) {
#ifdef __GLIBC__
  if (coefficients->freed >= GIVEN_BACK) {
    malloc_trim(0);
    coefficients->freed = 0;
  }
#endif
}

/// Releases what is before a row: the pixels that come of it take its place.
static void release_before(j_common_ptr codec, array *array, JDIMENSION row) {
  vf_coefficients *coefficients = codec->client_data;
  for (; array->released < row; array->released++) {
    JDIMENSION y = array->released;
    coefficients->held -= array->sizes[y];
    coefficients->freed += array->sizes[y];
    array->sizes[y] = 0;
    free(array->packed[y]);
    array->packed[y] = NULL;
  }
  give_back(coefficients);
}

static jvirt_barray_ptr request_array(j_common_ptr codec, int pool, boolean zeroed,
                                      JDIMENSION blocks, JDIMENSION rows, JDIMENSION most) {
  (void)pool, (void)zeroed;
  vf_coefficients *coefficients = codec->client_data;
  if (coefficients->array_count == MAX_COMPONENTS)
    vf_jpeg_raise(codec, EBADMSG, "too many components");
  array *made = calloc(1, sizeof *made);
  coefficients->arrays[coefficients->array_count++] = made;
  size_t scratch = (size_t)blocks * PACKED_BLOCK;
  if (scratch > coefficients->scratch_size) {
    free(coefficients->scratch);
    coefficients->scratch = malloc(scratch);
    coefficients->scratch_size = coefficients->scratch ? scratch : 0;
  }
  if (made) {
    made->blocks = blocks;
    made->rows = rows;
    made->capacity = most;
    made->packed = calloc(rows, sizeof *made->packed);
    made->sizes = calloc(rows, sizeof *made->sizes);
    made->window = calloc(most, sizeof *made->window);
    // Where smoothing looks beyond the rows that came, nobody's memory shows.
    made->memory = calloc((size_t)most * blocks, sizeof(JBLOCK));
  }
  if (!made || !coefficients->scratch || !made->packed || !made->sizes || !made->window ||
      !made->memory)
    vf_jpeg_raise(codec, ENOMEM, "no memory for a picture in several scans");
  for (JDIMENSION i = 0; i < most; i++)
    made->window[i] = made->memory + (size_t)i * blocks;
  return (jvirt_barray_ptr)made;
}

static JBLOCKARRAY access_array(j_common_ptr codec, jvirt_barray_ptr pointer, JDIMENSION start,
                                JDIMENSION count, boolean is_written) {
  array *array = (struct vf_coefficient_array *)pointer;
  if (count > array->capacity || start > array->rows || count > array->rows - start)
    vf_jpeg_raise(codec, EBADMSG, "rows outside of the picture");
  if (start < array->first || start + count > array->first + array->count) {
    if (array->is_dirty)
      for (JDIMENSION i = 0; i < array->count; i++)
        pack_row(codec, array, array->first + i, array->window[i]);
    array->is_dirty = false;
    array->first = start;
    array->count = count;
    for (JDIMENSION i = 0; i < count; i++)
      unpack_row(array, start + i, array->window[i]);
    // Only the pass that makes pixels reads without writing, once, from the top.
    if (!is_written)
      release_before(codec, array, start);
  }
  if (is_written)
    array->is_dirty = true;
  return array->window + (start - array->first);
}

void vf_coefficients_hold(vf_coefficients *coefficients, j_common_ptr codec, size_t limit) {
  coefficients->limit = limit;
  codec->client_data = coefficients;
  codec->mem->request_virt_barray = request_array;
  codec->mem->access_virt_barray = access_array;
}

void vf_coefficients_free(vf_coefficients *coefficients) {
  for (size_t i = 0; i < coefficients->array_count; i++)
    array_free(coefficients->arrays[i]);
  free(coefficients->scratch);
  *coefficients = (vf_coefficients){0};
}
