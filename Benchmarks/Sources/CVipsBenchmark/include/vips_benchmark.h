#ifndef VIPS_BENCHMARK_H
#define VIPS_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/// Loads libvips, holds it to one thread, and lets it keep no results. Returns 0 where it isn't
/// installed.
int vips_benchmark_open(void);

/// A thumbnail of a JPEG, no larger than `side`, as a JPEG of quality 75 or as a PNG. Returns the
/// file's size, or 0.
size_t vips_benchmark_thumbnail(const uint8_t *jpeg, size_t count, int side, int is_png);

#endif
