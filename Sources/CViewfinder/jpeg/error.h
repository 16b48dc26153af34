#ifndef VF_JPEG_ERROR_H
#define VF_JPEG_ERROR_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// libjpeg's error manager, made to return to us: it never prints and never ends the process.
///
/// The function that calls `setjmp(error.escape)` must own none of the state that is cleaned up
/// afterwards: keep that in a struct of its caller.
typedef struct vf_jpeg_error {
  /// First, so that libjpeg's pointer to it is a pointer to the whole.
  struct jpeg_error_mgr manager;
  jmp_buf escape;
  /// Set when `escape` was taken: a positive `errno` value, and words for people.
  int code;
  char message[JMSG_LENGTH_MAX];
} vf_jpeg_error;

/// Prepares `error` and returns what belongs in a codec's `err`.
struct jpeg_error_mgr *vf_jpeg_error_init(vf_jpeg_error *error);

/// Leaves libjpeg through `escape` with a code and message of ours.
_Noreturn void vf_jpeg_raise(j_common_ptr codec, int code, const char *message);

/// Passes what was caught on to `failure`, and returns `-code`.
int vf_jpeg_error_report(const vf_jpeg_error *error, const char *step, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
