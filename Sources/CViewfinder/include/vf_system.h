#ifndef VF_SYSTEM_H
#define VF_SYSTEM_H

#include "vf_failure.h"

#include <sys/types.h>

#pragma clang assume_nonnull begin

struct pollfd;

/// The system calls that a grabber, or an output, makes. Each returns and sets `errno` as its
/// namesake does.
///
/// Whoever implements a table keeps its `context`; the table must outlive every grabber and
/// output that uses it, and every frame that one lent. All functions may be called from several
/// threads at once.
typedef struct vf_system {
  /// What the table is called in messages: "linux", "libv4l2", "simulated". Static storage.
  const char *name;
  void *_Nullable context;
  int (*open)(void *_Nullable context, const char *path, int flags);
  int (*close)(void *_Nullable context, int fd);
  int (*ioctl)(void *_Nullable context, int fd, unsigned long request, void *_Nullable argument);
  void *_Nullable (*_Nonnull mmap)(void *_Nullable context, size_t length, int protection, int fd,
                                   int64_t offset);
  int (*munmap)(void *_Nullable context, void *address, size_t length);
  /// Waits for devices of this table and for ordinary descriptors alike.
  int (*poll)(void *_Nullable context, struct pollfd *descriptors, uint64_t count,
              int timeout_milliseconds);
  /// NULL where no device takes frames.
  ssize_t (*_Nullable write)(void *_Nullable context, int fd, const void *bytes, size_t count);
} vf_system;

/// The kernel's own calls: the fast path and the default.
extern const vf_system vf_system_linux;

/// libv4l2's calls, for cameras whose formats we don't speak: it adds emulated `RGB3`, `BGR3`,
/// `YU12` and `YV12`. libv4l2 itself writes a line to stderr when a device is busy.
extern const vf_system vf_system_libv4l2;

/// The addresses of the two tables, for languages that can't take them of a C global.
static inline const vf_system *vf_system_linux_table(void) { return &vf_system_linux; }
static inline const vf_system *vf_system_libv4l2_table(void) { return &vf_system_libv4l2; }

#pragma clang assume_nonnull end

#endif
