// libvips is looked for when the program runs, so that it builds and runs where it isn't installed.

#include "vips_benchmark.h"

#include <dlfcn.h>
#include <stdbool.h>

typedef struct image image;

static struct {
  int (*init)(const char *name);
  void (*set_threads)(int count);
  void (*set_kept)(int count);
  int (*thumbnail)(void *bytes, size_t count, image **result, int width, ...);
  int (*save_jpeg)(image *picture, void **bytes, size_t *count, ...);
  int (*save_png)(image *picture, void **bytes, size_t *count, ...);
  void (*release)(void *object);
  void (*free)(void *bytes);
} vips;

int vips_benchmark_open(void) {
  void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return 0;
  // Looked up in what libvips itself needs, too.
  struct {
    const char *name;
    void **place;
  } const wanted[] = {
      {"vips_init", (void **)&vips.init},
      {"vips_concurrency_set", (void **)&vips.set_threads},
      {"vips_cache_set_max", (void **)&vips.set_kept},
      {"vips_thumbnail_buffer", (void **)&vips.thumbnail},
      {"vips_jpegsave_buffer", (void **)&vips.save_jpeg},
      {"vips_pngsave_buffer", (void **)&vips.save_png},
      {"g_object_unref", (void **)&vips.release},
      {"g_free", (void **)&vips.free},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!(*wanted[i].place = dlsym(library, wanted[i].name)))
      return 0;
  if (vips.init("benchmark") != 0)
    return 0;
  vips.set_threads(1);
  vips.set_kept(0);
  return 1;
}

size_t vips_benchmark_thumbnail(const uint8_t *jpeg, size_t count, int side, int is_png) {
  void *const end = NULL;
  image *small = NULL;
  if (vips.thumbnail((void *)jpeg, count, &small, side, "height", side, end) != 0)
    return 0;
  void *file = NULL;
  size_t size = 0;
  int failed = is_png ? vips.save_png(small, &file, &size, "strip", true, end)
                      : vips.save_jpeg(small, &file, &size, "Q", 75, "strip", true, end);
  vips.release(small);
  vips.free(file);
  return failed ? 0 : size;
}
