#ifndef VF_JPEG_HUFFMAN_H
#define VF_JPEG_HUFFMAN_H

#include "jpeg/bits.h"

#pragma clang assume_nonnull begin

enum {
  VF_LONGEST_CODE = 16,
  /// Codes of at most this many bits are found in one step, with the value that they announce.
  VF_NEAR_BITS = 10,
  /// Codes of which as many as fit are passed over in one step.
  VF_PASSED_BITS = 11,
  VF_BLOCK = 64,
};

/// What reading gives instead of a result.
enum { VF_CUT_SHORT = -1, VF_IMPOSSIBLE = -2 };

/// What an entry of `near` holds: the bits that the code and its value take, 0 where the code is
/// longer; whether the value is there; how far the symbol moves on in a block; and the value, or
/// the symbol where it isn't there.
enum { VF_NEAR_TAKEN = 63, VF_NEAR_HAS_VALUE = 128, VF_NEAR_STEP = 8, VF_NEAR_VALUE = 16 };

/// What an entry of `passed` holds: the bits of all codes and values together, 0 where the first
/// code is longer; how far they move on in a block, its end counting as one; and whether they end
/// it.
enum { VF_PASSED_TAKEN = 63, VF_PASSED_COUNT = 6, VF_PASSED_ENDS = 0x8000 };

/// A Huffman table (ITU-T T.81, annex C) to look codes up in by the bits that come next.
typedef struct vf_huffman {
  uint32_t near[1 << VF_NEAR_BITS];
  /// Of AC tables, once `vf_huffman_make_passed` has filled it.
  uint16_t passed[1 << VF_PASSED_BITS];
  /// By length: the end of its codes, and what makes an index of one.
  uint32_t limits[VF_LONGEST_CODE + 1];
  int32_t offsets[VF_LONGEST_CODE + 1];
  uint8_t symbols[256];
} vf_huffman;

/// The codes of a table by symbol. A length of 0: none.
typedef struct vf_codes {
  uint16_t code[256];
  uint8_t length[256];
} vf_codes;

/// Makes the codes of what DHT has: 16 numbers of codes by length, then the symbols.
void vf_codes_make(vf_codes *codes, const uint8_t *definition);

/// Makes the table of what DHT has: 16 numbers of codes by length, then the symbols. Returns 0 for
/// a table that has more codes than there are, or that of a DC table has no meaning.
int vf_huffman_make(vf_huffman *table, const uint8_t *definition, int is_dc);

/// Fills `passed`.
void vf_huffman_make_passed(vf_huffman *table);

/// Finds the code with which the next 16 bits begin, one that `near` doesn't hold. Returns its
/// length and its symbol, length << 8 | symbol; or `VF_IMPOSSIBLE`.
int vf_huffman_far(const vf_huffman *table, uint32_t bits);

/// Reads a code and its value, of which the reader must have the bits: 32 at most. Returns how far
/// it moves on in a block, with `*value`; 0 for its end; or `VF_IMPOSSIBLE`.
static inline int vf_huffman_read(vf_bits *reader, const vf_huffman *table, int32_t *value) {
  uint32_t near = table->near[vf_bits_peek(reader, VF_NEAR_BITS)];
  unsigned taken = near & VF_NEAR_TAKEN, symbol = near >> VF_NEAR_VALUE;
  if (near & VF_NEAR_HAS_VALUE) {
    *value = (int32_t)near >> VF_NEAR_VALUE;
    vf_bits_take(reader, taken);
    return near >> VF_NEAR_STEP & 255;
  }
  if (!near) {
    int far = vf_huffman_far(table, vf_bits_peek(reader, VF_LONGEST_CODE));
    if (far < 0)
      return far;
    symbol = far & 255;
    taken = ((unsigned)far >> 8) + (symbol & 15);
  }
  unsigned size = symbol & 15, run = symbol >> 4;
  *value = size ? vf_bits_number(reader, taken - size, size) : 0;
  vf_bits_take(reader, taken);
  return size || run == 15 ? (int)run + 1 : 0;
}

#pragma clang assume_nonnull end

#endif
