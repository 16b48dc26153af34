#ifndef VF_JPEG_OUTPUT_H
#define VF_JPEG_OUTPUT_H

#include <string.h>

#include "jpeg/header.h"
#include "jpeg/huffman.h"

#pragma clang assume_nonnull begin

/// Entropy-coded bits on their way into a picture: bytes in a room of their own, without stuffing,
/// and the last bits.
///
/// Loops work on a copy, which the compiler keeps in registers.
typedef struct vf_output {
  uint8_t *at;
  /// The last `count` bits, in the lowest places. Above them are bits that are bytes already.
  uint64_t bits;
  unsigned count;
} vf_output;

/// Appends the lowest `count` bits, above which are none. Between two flushes there is room for 57.
static inline void vf_output_append(vf_output *output, uint64_t bits, unsigned count) {
  output->bits = output->bits << count | bits;
  output->count += count;
}

/// Makes bytes of all bits but up to seven. Of the room, 8 bytes from `at` on are written.
static inline void vf_output_flush(vf_output *output) {
  // A shift by 64 means nothing, and there is nothing to write without a bit.
  uint64_t word = output->bits << (-output->count & 63);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(output->at, &word, sizeof word);
  output->at += output->count / 8;
  output->count %= 8;
}

static inline void vf_output_put(vf_output *output, uint64_t bits, unsigned count) {
  vf_output_append(output, bits, count);
  vf_output_flush(output);
}

/// Fills the last byte up with ones (ITU-T T.81, F.1.2.3).
static inline void vf_output_pad(vf_output *output) {
  unsigned rest = -output->count % 8;
  vf_output_put(output, (1u << rest) - 1, rest);
}

/// Bits that a value takes after its code (T.81, F.1.2.1).
static inline unsigned vf_output_size(int32_t value) {
  uint32_t size = (uint32_t)(value < 0 ? -value : value);
  return size ? 32 - (unsigned)__builtin_clz(size) : 0;
}

/// These bits.
static inline uint32_t vf_output_bits(int32_t value, unsigned size) {
  return (uint32_t)(value < 0 ? value - 1 : value) & ((1u << size) - 1);
}

/// Appends a symbol's code and the `size` bits of the value that it announces.
static inline void vf_output_append_value(vf_output *output, const vf_codes *codes, unsigned symbol,
                                          int32_t value, unsigned size) {
  vf_output_append(output, (uint32_t)codes->code[symbol] << size | vf_output_bits(value, size),
                   codes->length[symbol] + size);
}

enum {
  /// Bytes that are worth being moved into a picture.
  VF_OUTPUT_FULL = 4 << 10,
  /// Bytes that come in between at most: the codes of ten blocks.
  VF_OUTPUT_MOST = 10 * 256 + 8,
};

/// The room that an output works in.
typedef struct vf_output_room {
  uint8_t bytes[VF_OUTPUT_FULL + VF_OUTPUT_MOST];
} vf_output_room;

static inline int vf_output_is_full(const vf_output *output, const vf_output_room *room) {
  return output->at - room->bytes >= VF_OUTPUT_FULL;
}

/// Moves the bytes into a picture, with a zero after each 0xFF; the last bits stay.
void vf_output_empty(vf_output *output, vf_output_room *room, vf_jpeg_writer *writer);

#pragma clang assume_nonnull end

#endif
