#ifndef VF_PNG_ERROR_H
#define VF_PNG_ERROR_H

#include <setjmp.h>
#include <stddef.h>

#include <png.h>

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// Where libpng's errors and allocations go: it never prints and never ends the process.
///
/// The function that calls `setjmp(error.escape)` must own none of the state that is cleaned up
/// afterwards.
typedef struct vf_png_error {
  jmp_buf escape;
  int out_of_memory;
  /// Set when `escape` was taken: a positive `errno` value, and words for people.
  int code;
  char message[128];
} vf_png_error;

/// What we tell libpng when the bytes are at their end.
#define VF_PNG_INCOMPLETE "the file is incomplete"

/// libpng's error function: keeps what the message means, and leaves through `escape`.
_Noreturn void vf_png_fail(png_structp png, png_const_charp message);

/// libpng's warning function: says nothing.
void vf_png_ignore(png_structp png, png_const_charp message);

/// libpng's allocation, that remembers when memory was short.
void *_Nullable vf_png_allocate(png_structp png, png_alloc_size_t size);

void vf_png_release(png_structp png, void *_Nullable memory);

/// Passes what was caught on to `failure`, and returns `-code`.
int vf_png_error_report(const vf_png_error *error, const char *step, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
