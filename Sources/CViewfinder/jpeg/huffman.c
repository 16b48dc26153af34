#include "jpeg/huffman.h"

/// Fills the entries of all bits that begin with a code.
static void fill_near(vf_huffman *table, uint32_t code, unsigned length, unsigned symbol) {
  unsigned size = symbol & 15, run = symbol >> 4;
  unsigned rest = VF_NEAR_BITS - length;
  for (uint32_t low = 0; low < 1u << rest; low++) {
    uint32_t entry = (length + size) | (run + 1) << VF_NEAR_STEP;
    if (size && size <= rest) {
      uint32_t value = low >> (rest - size) & ((1u << size) - 1);
      entry |= VF_NEAR_HAS_VALUE | (uint32_t)vf_number_of(value, size) << VF_NEAR_VALUE;
    } else {
      entry |= symbol << VF_NEAR_VALUE;
    }
    table->near[(code << rest) + low] = entry;
  }
}

void vf_codes_make(vf_codes *codes, const uint8_t *definition) {
  *codes = (vf_codes){0};
  const uint8_t *symbols = definition + VF_LONGEST_CODE;
  uint16_t code = 0;
  for (uint8_t length = 1; length <= VF_LONGEST_CODE; length++) {
    for (unsigned i = 0; i < definition[length - 1]; i++, symbols++, code++) {
      codes->code[*symbols] = code;
      codes->length[*symbols] = length;
    }
    code = (uint16_t)(code << 1);
  }
}

int vf_huffman_make(vf_huffman *table, const uint8_t *definition, int is_dc) {
  memset(table->near, 0, sizeof table->near);
  memset(table->symbols, 0, sizeof table->symbols);
  const uint8_t *symbols = definition + VF_LONGEST_CODE;
  uint32_t code = 0;
  int32_t index = 0;
  for (unsigned length = 1; length <= VF_LONGEST_CODE; length++) {
    unsigned codes = definition[length - 1];
    table->offsets[length] = index - (int32_t)code;
    if (code + codes > 1u << length || index + (int32_t)codes > 256)
      return 0;
    for (unsigned i = 0; i < codes; i++, code++, index++) {
      uint8_t symbol = table->symbols[index] = symbols[index];
      if (is_dc && symbol > 15)
        return 0;
      if (length <= VF_NEAR_BITS)
        fill_near(table, code, length, symbol);
    }
    table->limits[length] = code;
    code <<= 1;
  }
  return 1;
}

/// Finds the code with which 16 bits begin.
static int find(const vf_huffman *table, uint32_t bits, unsigned *symbol, unsigned *length) {
  for (unsigned n = 1; n <= VF_LONGEST_CODE; n++) {
    uint32_t code = bits >> (VF_LONGEST_CODE - n);
    if (code >= table->limits[n])
      continue;
    *symbol = table->symbols[(int32_t)code + table->offsets[n]];
    *length = n;
    return 1;
  }
  return 0;
}

void vf_huffman_make_passed(vf_huffman *table) {
  for (uint32_t bits = 0; bits < 1u << VF_PASSED_BITS; bits++) {
    unsigned taken = 0, count = 0;
    uint16_t entry = 0;
    // What is past these bits reads as zeros: no code is found that needs them.
    while (taken < VF_PASSED_BITS && !(entry & VF_PASSED_ENDS)) {
      uint32_t next = bits << taken & ((1u << VF_PASSED_BITS) - 1);
      unsigned symbol = 0, length = 0;
      if (!find(table, next << (VF_LONGEST_CODE - VF_PASSED_BITS), &symbol, &length) ||
          taken + length > VF_PASSED_BITS)
        break;
      int ends = (symbol & 15) == 0 && symbol >> 4 < 15;
      count += ends ? 1 : (symbol >> 4) + 1;
      if (count > VF_BLOCK)
        break;
      taken += length + (symbol & 15);
      entry = (uint16_t)(taken | count << VF_PASSED_COUNT | (ends ? VF_PASSED_ENDS : 0));
    }
    table->passed[bits] = entry;
  }
}

int vf_huffman_far(const vf_huffman *table, uint32_t bits) {
  unsigned symbol, length;
  return find(table, bits, &symbol, &length) ? (int)(length << 8 | symbol) : VF_IMPOSSIBLE;
}
