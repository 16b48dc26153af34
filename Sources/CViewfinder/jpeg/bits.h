#ifndef VF_JPEG_BITS_H
#define VF_JPEG_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

/// The bits of entropy-coded data that come next.
///
/// It reads a window, in which there is always room to read on: what is taken is counted later.
typedef struct vf_bits {
  const uint8_t *at;
  /// The next `count` bits, from the highest down. Below them are bits that come again.
  uint64_t bits;
  unsigned count;
} vf_bits;

/// Takes up bytes until there are 56 bits or more.
static inline void vf_bits_refill(vf_bits *reader) {
  uint64_t next;
  memcpy(&next, reader->at, sizeof next);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  next = __builtin_bswap64(next);
#endif
  reader->bits |= next >> reader->count;
  reader->at += (63 - reader->count) / 8;
  reader->count |= 56;
}

/// The next bits, at least one, without taking them.
static inline uint32_t vf_bits_peek(const vf_bits *reader, unsigned count) {
  return (uint32_t)(reader->bits >> (64 - count));
}

static inline void vf_bits_take(vf_bits *reader, unsigned count) {
  reader->bits <<= count;
  reader->count -= count;
}

/// The number that the lowest `size` bits mean, above which are none (ITU-T T.81, F.2.2.1). `size`
/// isn't 0.
static inline int32_t vf_number_of(uint32_t bits, unsigned size) {
  int32_t value = (int32_t)bits;
  return value >> (size - 1) ? value : value - (1 << size) + 1;
}

/// The same of the `size` bits after the first `skipped` ones.
static inline int32_t vf_bits_number(const vf_bits *reader, unsigned skipped, unsigned size) {
  return vf_number_of((uint32_t)(reader->bits << skipped >> (64 - size)), size);
}

enum {
  VF_WINDOW = 32 << 10,
  /// Bytes that may be read in one go, between two calls of `vf_window_is_ready`.
  VF_WINDOW_AHEAD = 512,
};

/// A part of a segment of entropy-coded data, without the zeros that are stuffed after 0xFF, and
/// with zeros behind it.
typedef struct vf_window {
  /// The whole data, and where in it the segment begins and the window ends.
  const uint8_t *bytes;
  size_t start, next, end;
  vf_bits reader;
  /// Where the window's data end, and whether those of the segment do.
  const uint8_t *filled;
  int is_last;
  uint8_t data[VF_WINDOW + VF_WINDOW_AHEAD];
} vf_window;

/// Begins a segment at `start`.
void vf_window_begin(vf_window *window, const uint8_t *bytes, size_t start, size_t end);

/// Moves the window on.
void vf_window_move(vf_window *window);

/// Makes sure of data to be read ahead, as far as there are any. Returns 0 when more were taken
/// than there are.
static inline int vf_window_is_ready(vf_window *window) {
  if (window->reader.at + VF_WINDOW_AHEAD <= window->filled)
    return 1;
  if (!window->is_last) {
    vf_window_move(window);
    return 1;
  }
  return window->reader.at <= window->filled + window->reader.count / 8;
}

/// Where in the whole data the last byte of which a bit was taken ends.
size_t vf_window_position(const vf_window *window);

/// Goes on in the segment after the next restart marker, whose number is `*number`. Returns 0 where
/// there is none, or data before it that nobody read.
int vf_window_pass_restart(vf_window *window, unsigned *number);

/// Goes on after the next restart marker, whatever lies before it. Returns 0 where there is none.
int vf_window_find_restart(vf_window *window, unsigned *number);

/// Where the segment ends: at a marker, or with the data.
size_t vf_window_find_end(const vf_window *window);

#pragma clang assume_nonnull end

#endif
