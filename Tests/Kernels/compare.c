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

enum { most_outputs = 3, longest = 4096 };

/// A kernel's inputs and outputs, in bytes for each unit of its count.
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
};

/// Kernels that work on blocks, not on rows.
enum { block_kernels = 2 };

_Static_assert(sizeof(vf_kernels) ==
                   sizeof(char *) + (sizeof operations / sizeof *operations + block_kernels) *
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
  default:
    set->average_rows(out[0], in[0], in[1], count);
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
    for (int round = 0; round < 6400; round++) {
      comparisons++;
      if (transforms_alike(set, round % 64, round % 3 == 0))
        continue;
      failures++;
      printf("%s: transforms of %d coefficients differ from portable.\n", set->name, round % 64);
    }
    printf("%s: %zu comparisons with portable.\n", set->name, comparisons);
  }
  if (!has_named)
    printf("The set %s isn't here.\n", argv[1]);
  return failures || !has_named;
}
