// Looks for cards with each vector set on this machine, and says what came out as one number: it is
// the same for every set, every processor and every compiler. Scripts/test-kernels compares it with
// that of the arm64 program. Nor may a second look at pictures of one size allocate anything.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detect/workspace.h"

enum { WIDTH = 900, HEIGHT = 640 };

static size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  allocations++;
  return __real_realloc(memory, size);
}

static uint8_t pixels[HEIGHT][WIDTH][3];

static uint64_t state;

static uint32_t noise(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 40);
}

/// A table with cards that lie askew, stripes, and noise, a little different each time.
static void paint(int32_t which) {
  state = (uint64_t)which + 1;
  for (int32_t y = 0; y < HEIGHT; y++) {
    for (int32_t x = 0; x < WIDTH; x++) {
      int32_t value[3] = {90 + x % 7 * which, 80 + y % 5 * which, 70};
      for (int32_t card = 0; card < 4; card++) {
        int32_t dx = x - 220 - card % 2 * 430, dy = y - 170 - card / 2 * 300;
        int32_t u = dx * 97 + dy * (10 + 9 * card + which), v = dy * 97 - dx * (10 + 9 * card);
        if (u > -15000 && u < 15000 && v > -9500 && v < 9500) {
          value[0] = 225 - 50 * card + (v > 4000 ? 20 : 0);
          value[1] = 180 + (u / 900 % 2 ? 12 : 0);
          value[2] = 60 + 60 * card;
        }
      }
      for (int32_t c = 0; c < 3; c++)
        pixels[y][x][c] = (uint8_t)eye_clamp(value[c] + (int32_t)(noise() % 9), 0, 255);
    }
  }
}

static void mix(uint64_t *digest, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    *digest = (*digest ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static void mix_look(uint64_t *digest, const vf_eye *eye) {
  static int32_t quads[EYE_PROPOSALS * 8], scores[EYE_PROPOSALS * 3];
  static int16_t features[EYE_PROPOSALS * EYE_FEATURES], maps[EYE_MAPS * EYE_MAP_CELLS];
  size_t count = (size_t)eye->count;
  vf_eye_quads(eye, quads);
  vf_eye_scores(eye, scores);
  vf_eye_features(eye, features);
  vf_eye_maps(eye, maps);
  mix(digest, quads, count * 8 * sizeof *quads);
  mix(digest, scores, count * 3 * sizeof *scores);
  mix(digest, features, count * sizeof eye->features[0]);
  mix(digest, maps, (size_t)(eye->map_width * eye->map_height) * EYE_MAPS * sizeof *maps);
}

int main(void) {
  static const eye_kernels *sets[2];
  sets[0] = &eye_kernels_portable;
  sets[1] = eye_kernels_current();
  static int16_t looks[EYE_FINDS][EYE_CLOSER_FEATURES];
  uint64_t digests[2];
  bool is_steady = true;
  for (size_t s = 0; s < 2; s++) {
    vf_eye *eye = eye_create_with(sets[s]);
    if (!eye)
      return 1;
    digests[s] = 14695981039346656037u;
    for (int32_t which = 0; which < 4; which++) {
      paint(which);
      // Both ways round, and a part of odd sizes.
      for (uint32_t odd = 0; odd < 3; odd++) {
        uint32_t width = WIDTH - 131 * odd, height = HEIGHT - 37 * odd;
        if (vf_eye_propose_rgb(eye, pixels[0][0], width, height, sizeof pixels[0]) < 0)
          return 1;
        mix_look(&digests[s], eye);
        if (vf_eye_look_rgb(eye, pixels[0][0], width, height, sizeof pixels[0]) < 0)
          return 1;
        mix_look(&digests[s], eye);
        vf_eye_looks(eye, looks[0]);
        mix(&digests[s], looks, (size_t)eye->count * sizeof looks[0]);
      }
      size_t before = allocations;
      vf_eye_look_rgb(eye, pixels[0][0], WIDTH - 262, HEIGHT - 74, sizeof pixels[0]);
      is_steady &= allocations == before;
    }
    vf_eye_destroy(eye);
  }
  printf("%016llx\n", (unsigned long long)digests[0]);
  if (digests[0] != digests[1])
    fprintf(stderr, "detect: the sets differ: %016llx\n", (unsigned long long)digests[1]);
  if (!is_steady)
    fprintf(stderr, "detect: a second look allocates.\n");
  return digests[0] != digests[1] || !is_steady;
}
