#ifndef VF_FAILURE_H
#define VF_FAILURE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What failed, and in which step.
///
/// Written only by calls that report failure. Nothing is allocated and nothing is kept: the
/// caller owns the struct. Calls that return `int` return 0 for success (some a positive
/// count) and `-code` for failure; calls that return a pointer return NULL.
///
/// Codes that the computing half uses: `EBADMSG` for data that is no valid picture, `ENOTSUP`
/// for a valid picture of a kind that isn't supported, `EFBIG` for one past the size limit,
/// `EINVAL` for arguments out of range, `ENOMEM`.
typedef struct vf_failure {
  /// A positive `errno` value.
  int code;
  /// The step that failed, such as "VIDIOC_S_FMT" or "JPEG header". Static storage; never freed.
  const char *_Nullable step;
  /// More words where there are any, such as what is wrong with a picture and what a person can do;
  /// else empty. NUL-terminated.
  char detail[128];
} vf_failure;

/// Bytes that a call allocated. The caller releases them with `vf_buffer_free`.
typedef struct vf_buffer {
  uint8_t *_Nullable bytes;
  size_t count;
} vf_buffer;

/// Frees the bytes and empties the buffer. Accepts an empty buffer.
void vf_buffer_free(vf_buffer *buffer);

#pragma clang assume_nonnull end

#endif
