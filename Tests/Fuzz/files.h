#ifndef VF_FUZZ_FILES_H
#define VF_FUZZ_FILES_H

#include "fuzz.h"

#include <limits.h>
#include <stdarg.h>
#include <unistd.h>

// A folder of its own for targets that need paths. `Scripts/fuzz` sets TMPDIR and removes what is
// left there, also by a run that crashed.

#pragma clang assume_nonnull begin

static char folder[PATH_MAX - 300];

static inline void make_folder(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/viewfinder-fuzz-XXXXXX", parent ? parent : "/tmp");
  REQUIRE(mkdtemp(folder));
}

/// The path of something in the folder; valid until the next call but three.
__attribute__((format(printf, 1, 2))) static inline const char *in_folder(const char *format, ...) {
  static char paths[4][PATH_MAX];
  static unsigned next;
  char *path = paths[next++ % 4];
  int length = snprintf(path, PATH_MAX, "%s/", folder);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path + length, (size_t)(PATH_MAX - length), format, arguments);
  va_end(arguments);
  return path;
}

/// Makes a file's contents these bytes.
static inline void set_contents(int file, const uint8_t *bytes, size_t count) {
  REQUIRE(ftruncate(file, 0) == 0);
  REQUIRE(pwrite(file, bytes, count, 0) == (ssize_t)count);
}

#pragma clang assume_nonnull end

#endif
