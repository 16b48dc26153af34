#ifndef VF_GRAB_CALLS_H
#define VF_GRAB_CALLS_H

#include "vf_system.h"

#include <time.h>

#pragma clang assume_nonnull begin

/// A table's ioctl, repeated while signals interrupt it. Returns 0 or more, or -1 with `errno`.
int vf_ioctl(const vf_system *system, int fd, unsigned long request, void *argument);

/// Opens a video node for streaming without blocking. Returns a descriptor, or -1 with `errno`.
int vf_open(const vf_system *system, const char *path);

/// A clock's time, in nanoseconds.
int64_t vf_clock(clockid_t clock);

/// Copies at most `capacity - 1` bytes of a driver's string, which may lack its NUL, and pads with
/// NULs.
void vf_copy_words(char *to, size_t capacity, const void *from, size_t count);

#pragma clang assume_nonnull end

#endif
