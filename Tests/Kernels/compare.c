// Compares the vector sets of row kernels with the portable one, which defines what is right: same
// bytes for the same input, nothing read or written past the end. Scripts/test-kernels runs it on
// this machine and, under qemu-user, as an arm64 program.
//
// Prints how many comparisons held for each set, and fails when a set named as an argument isn't
// here.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vf_kernels.h"

enum { most_outputs = 3, longest = 4096, summed_rows = 3 };

/// The inputs and outputs of a kernel that splits, averages or adds up, in bytes for each unit of
/// its count.
typedef struct operation {
  const char *name;
  size_t inputs, input_size;
  size_t outputs, output_sizes[most_outputs];
} operation;

static const operation operations[] = {
    {"split_yuyv", 1, 4, 3, {2, 1, 1}},
    {"split_uyvy", 1, 4, 3, {2, 1, 1}},
    {"split_pairs", 1, 2, 2, {1, 1}},
    {"average_rows", 2, 1, 1, {1}},
    {"sum_rows", 1, summed_rows, 1, {sizeof(uint16_t)}},
};

/// Kernels that work on blocks, not on rows.
enum { block_kernels = 3, searching_kernels = 1 };

/// The kernels that warp have inputs of other kinds.
typedef enum warp { place, filter2, filter4, filter6, warps } warp;

static const char *const warp_names[warps] = {"place", "filter2", "filter4", "filter6"};

_Static_assert(sizeof(vf_kernels) ==
                   2 * sizeof(char *) + (sizeof operations / sizeof *operations + block_kernels +
                                         searching_kernels + warps) *
                                            sizeof(void (*)(void)),
               "Each kernel is compared.");

static void run(const vf_kernels *set, size_t index, uint8_t *const out[],
                const uint8_t *const in[], size_t count) {
  switch (index) {
  case 0:
    set->split_yuyv(out[0], out[1], out[2], in[0], count);
    break;
  case 1:
    set->split_uyvy(out[0], out[1], out[2], in[0], count);
    break;
  case 2:
    set->split_pairs(out[0], out[1], in[0], count);
    break;
  case 3:
    set->average_rows(out[0], in[0], in[1], count);
    break;
  default:
    set->sum_rows((uint16_t *)out[0], in[0], count, summed_rows, count);
  }
}

/// Pages of which the last can't be touched.
static uint8_t *guarded_pages(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), length = 4 * longest + page;
  uint8_t *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + 4 * longest, page, PROT_NONE)) {
    perror("mmap");
    exit(2);
  }
  return pages + 4 * longest;
}

/// Whether a set gives the portable set's bytes for `count` units of noise.
static bool agrees(const vf_kernels *set, size_t index, size_t count) {
  static uint8_t *input_ends[2], *output_ends[2][most_outputs];
  if (!input_ends[0]) {
    for (size_t i = 0; i < 2; i++) {
      input_ends[i] = guarded_pages();
      for (size_t j = 0; j < most_outputs; j++)
        output_ends[i][j] = guarded_pages();
    }
  }
  const operation *operation = &operations[index];
  const uint8_t *in[2] = {NULL};
  for (size_t i = 0; i < operation->inputs; i++) {
    size_t length = count * operation->input_size;
    uint8_t *bytes = input_ends[i] - length;
    for (size_t j = 0; j < length; j++)
      bytes[j] = (uint8_t)(random() >> 7);
    in[i] = bytes;
  }
  const vf_kernels *sets[2] = {vf_kernels_at(0), set};
  for (size_t i = 0; i < 2; i++) {
    uint8_t *out[most_outputs] = {NULL};
    for (size_t j = 0; j < operation->outputs; j++) {
      out[j] = output_ends[i][j] - count * operation->output_sizes[j];
      memset(out[j], 0xa5, count * operation->output_sizes[j]);
    }
    run(sets[i], index, out, in, count);
  }
  for (size_t j = 0; j < operation->outputs; j++) {
    size_t length = count * operation->output_sizes[j];
    if (memcmp(output_ends[0][j] - length, output_ends[1][j] - length, length))
      return false;
  }
  return true;
}

/// Whether a set finds the portable set's markers in noise, of which one byte in `rarity` is 0xFF,
/// and every second one of them has a zero after it.
static bool finds_alike(const vf_kernels *set, size_t count, long rarity) {
  static uint8_t *end;
  if (!end)
    end = guarded_pages();
  uint8_t *bytes = end - count;
  for (size_t i = 0; i < count; i++) {
    bool follows = i && bytes[i - 1] == 0xff && random() % 2;
    bytes[i] = follows ? 0 : random() % rarity ? (uint8_t)(random() % 255) : 0xff;
  }
  for (size_t at = 0; at < count; at++) {
    size_t found = vf_kernels_at(0)->find_marker(bytes + at, count - at);
    if (set->find_marker(bytes + at, count - at) != found)
      return false;
    at += found;
  }
  return true;
}

/// Whether a set transforms blocks as the portable set does: some of a picture's coefficients, some
/// of any, with a number of them at most.
static bool transforms_alike(const vf_kernels *set, int most, bool is_wild) {
  static uint8_t *ends[2];
  for (size_t i = 0; i < 2 && !ends[i]; i++)
    ends[i] = guarded_pages();
  int16_t block[64] = {0}, steps[64];
  for (int i = 0; i < 64; i++) {
    steps[i] = (int16_t)(1 + random() % (is_wild ? 255 : 9));
    if (i <= most)
      block[i] = (int16_t)(is_wild ? random() >> 5 : random() % 601 - 300);
  }
  enum { stride = 11 };
  const vf_kernels *sets[2] = {vf_kernels_at(0), set};
  for (size_t size = 4; size <= 8; size += 4) {
    size_t length = (size - 1) * stride + size;
    for (size_t i = 0; i < 2; i++) {
      memset(ends[i] - length, 0xa5, length);
      (size == 8 ? sets[i]->inverse_dct : sets[i]->inverse_dct_half)(ends[i] - length, stride,
                                                                     block, steps);
    }
    if (memcmp(ends[0] - length, ends[1] - length, length))
      return false;
  }
  return true;
}

/// Whether a set makes the portable set's coefficients of two blocks: of noise, of what is the
/// darkest and the brightest, or of a slope.
static bool transforms_forward_alike(const vf_kernels *set, int kind) {
  enum { stride = 11, length = 7 * stride + 8 };
  static uint8_t *ends[2];
  uint8_t *rows[2][8];
  for (size_t i = 0; i < 2; i++) {
    if (!ends[i])
      ends[i] = guarded_pages();
    uint8_t *samples = ends[i] - length;
    for (size_t j = 0; j < length; j++)
      samples[j] = kind == 0   ? (uint8_t)(random() >> 7)
                   : kind == 1 ? (uint8_t)(random() >> 7 & 1 ? 255 : 0)
                               : (uint8_t)(j * (i + 1));
    for (size_t y = 0; y < 8; y++)
      rows[i][y] = samples + y * stride;
  }
  uint16_t steps[64];
  for (size_t i = 0; i < 64; i++)
    steps[i] = (uint16_t)(1 + random() % (random() % 2 ? 255 : 9));
  vf_quantizer quantizer;
  vf_quantizer_make(&quantizer, steps);
  const vf_kernels *sets[2] = {vf_kernels_at(0), set};
  vf_block_pair pairs[2];
  for (size_t i = 0; i < 2; i++)
    sets[i]->forward_dct(&pairs[i], (vf_block_source){rows[0], 0}, (vf_block_source){rows[1], 0},
                         &quantizer);
  return !memcmp(&pairs[0], &pairs[1], sizeof *pairs);
}

/// A number from 0 to `end` - 1.
static int32_t below(int32_t end) { return (int32_t)(random() % end); }

/// Whether a set finds the portable set's places on a line with perspective.
static bool places_agree(const vf_kernels *set, size_t count) {
  static uint8_t *ends[4];
  const vf_kernels *sets[2] = {vf_kernels_at(0), set};
  size_t length = count * sizeof(int32_t);
  const vf_trace trace = {.x = (float)below(1 << 20) / 1024,
                          .y = (float)below(1 << 20) / 1024,
                          .w = 1 + (float)below(1 << 20) / (1 << 21),
                          .dx = (float)(below(1 << 20) - (1 << 19)) / (1 << 17),
                          .dy = (float)(below(1 << 20) - (1 << 19)) / (1 << 17),
                          .dw = (float)below(1 << 20) / (1 << 30)};
  for (size_t i = 0; i < 2; i++) {
    for (size_t j = 0; j < 2 && !ends[2 * i + j]; j++)
      ends[2 * i + j] = guarded_pages();
    sets[i]->place((int32_t *)(void *)(ends[2 * i] - length),
                   (int32_t *)(void *)(ends[2 * i + 1] - length), &trace, count);
  }
  return !memcmp(ends[0] - length, ends[2] - length, length) &&
         !memcmp(ends[1] - length, ends[3] - length, length);
}

/// Weights of noise, with their sum.
static void fill_weights(vf_weights *weights, int size) {
  memset(weights, 0, sizeof *weights);
  for (size_t phase = 0; phase < VF_PHASES; phase++) {
    int32_t rest = VF_PHASES;
    for (int i = 0; i < size; i++) {
      int32_t share = i == size - 1 ? rest : below((rest < 127 ? rest : 127) + 1);
      weights->taps[phase][i] = (uint8_t)share;
      rest -= share;
    }
    // The last one had to be 128.
    if (weights->taps[phase][size - 1] > 127) {
      weights->taps[phase][0]++;
      weights->taps[phase][size - 1]--;
    }
  }
}

/// Whether a filter of a set makes the portable set's samples of a plane of noise, up to its last
/// one, behind which nothing may be read.
static bool filters_agree(const vf_kernels *set, warp kernel, size_t count) {
  enum { width = 61, height = 60, stride = 64, length = stride * (height - 1) + width };
  static uint8_t *source_end, *result_ends[2];
  if (!source_end) {
    source_end = guarded_pages();
    for (size_t i = 0; i < 2; i++)
      result_ends[i] = guarded_pages();
  }
  uint8_t *source = source_end - length;
  // Of the darkest and the brightest samples, too.
  int kind = below(3);
  for (size_t i = 0; i < length; i++)
    source[i] = kind == 0 ? 255 : kind == 1 ? (uint8_t)(255 * below(2)) : (uint8_t)below(256);
  const int rows = kernel == filter2 ? 2 : kernel == filter4 ? 4 : 6;
  const int columns = kernel == filter6 ? 8 : rows;
  static int32_t x[longest], y[longest];
  for (size_t i = 0; i < count; i++) {
    int32_t column = below(width - columns + 1), row = below(height - rows + 1);
    x[i] = (i % 5 == 4 ? width - columns : column) * VF_PHASES + below(VF_PHASES);
    y[i] = (i % 5 == 4 ? height - rows : row) * VF_PHASES + below(VF_PHASES);
  }
  vf_weights across, down;
  fill_weights(&across, rows);
  fill_weights(&down, rows);
  const vf_kernels *sets[2] = {vf_kernels_at(0), set};
  for (size_t i = 0; i < 2; i++) {
    uint8_t *result = result_ends[i] - count;
    memset(result, 0xa5, count);
    if (kernel == filter2) {
      sets[i]->filter2(result, source, stride, x, y, count);
    } else {
      (kernel == filter4 ? sets[i]->filter4 : sets[i]->filter6)(result, source, stride, x, y,
                                                                &across, &down, count);
    }
  }
  return !memcmp(result_ends[0] - count, result_ends[1] - count, count);
}

int main(int argc, char **argv) {
  srandom(1);
  size_t failures = 0;
  bool has_named = argc < 2;
  for (size_t i = 1; vf_kernels_at(i); i++) {
    const vf_kernels *set = vf_kernels_at(i);
    size_t comparisons = 0;
    has_named |= argc > 1 && !strcmp(argv[1], set->name);
    for (size_t index = 0; index < sizeof operations / sizeof *operations; index++) {
      for (size_t count = 0; count <= longest; count += count < 300 ? 1 : 61) {
        comparisons++;
        if (agrees(set, index, count))
          continue;
        failures++;
        printf("%s: %s differs from portable for %zu units.\n", set->name, operations[index].name,
               count);
      }
    }
    for (size_t count = 0; count <= longest; count += count < 600 ? 1 : 61) {
      comparisons++;
      if (finds_alike(set, count, 3 + (long)count / 2))
        continue;
      failures++;
      printf("%s: find_marker differs from portable for %zu bytes.\n", set->name, count);
    }
    for (int round = 0; round < 6400; round++) {
      comparisons++;
      if (transforms_alike(set, round % 64, round % 3 == 0))
        continue;
      failures++;
      printf("%s: transforms of %d coefficients differ from portable.\n", set->name, round % 64);
    }
    for (int round = 0; round < 6400; round++) {
      comparisons++;
      if (transforms_forward_alike(set, round % 3))
        continue;
      failures++;
      printf("%s: forward transforms differ from portable.\n", set->name);
    }
    for (warp kernel = place; kernel < warps; kernel++) {
      for (size_t count = 0; count <= longest; count += count < 300 ? 1 : 61) {
        comparisons++;
        if (kernel == place ? places_agree(set, count) : filters_agree(set, kernel, count))
          continue;
        failures++;
        printf("%s: %s differs from portable for %zu samples.\n", set->name, warp_names[kernel],
               count);
      }
    }
    printf("%s: %zu comparisons with portable.\n", set->name, comparisons);
  }
  if (!has_named)
    printf("The set %s isn't here.\n", argv[1]);
  return failures || !has_named;
}
