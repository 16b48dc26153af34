#ifndef VF_JPEG_TABLES_H
#define VF_JPEG_TABLES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { VF_STANDARD_HUFFMAN_COUNT = 420 };

/// A DHT segment, marker and length included, with the four typical tables of ITU-T T.81, K.3.3:
/// those that a Motion-JPEG frame without tables means.
extern const uint8_t vf_standard_huffman[VF_STANDARD_HUFFMAN_COUNT];

/// One of them, as DHT has it: 16 numbers of codes by length, then the symbols. `class` 0: DC, 1:
/// AC; `number` 0: luma, 1: chroma.
const uint8_t *vf_standard_table(unsigned class, unsigned number);

#pragma clang assume_nonnull end

#endif
