#include "vf_system.h"

#include "grab/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: The kernel

static int linux_open(void *context, const char *path, int flags) {
  (void)context;
  return open(path, flags | O_CLOEXEC);
}

static int linux_close(void *context, int fd) {
  (void)context;
  return close(fd);
}

static int linux_ioctl(void *context, int fd, unsigned long request, void *argument) {
  (void)context;
  return ioctl(fd, request, argument);
}

static void *linux_mmap(void *context, size_t length, int protection, int fd, int64_t offset) {
  (void)context;
  return mmap(NULL, length, protection, MAP_SHARED, fd, (off_t)offset);
}

static int linux_munmap(void *context, void *address, size_t length) {
  (void)context;
  return munmap(address, length);
}

static int linux_poll(void *context, struct pollfd *descriptors, uint64_t count, int timeout) {
  (void)context;
  return poll(descriptors, (nfds_t)count, timeout);
}

static ssize_t linux_write(void *context, int fd, const void *bytes, size_t count) {
  (void)context;
  return write(fd, bytes, count);
}

const vf_system vf_system_linux = {
    .name = "linux",
    .open = linux_open,
    .close = linux_close,
    .ioctl = linux_ioctl,
    .mmap = linux_mmap,
    .munmap = linux_munmap,
    .poll = linux_poll,
    .write = linux_write,
};

// MARK: libv4l2

static int libv4l2_open(void *context, const char *path, int flags) {
  (void)context;
  return v4l2_open(path, flags | O_CLOEXEC);
}

static int libv4l2_close(void *context, int fd) {
  (void)context;
  return v4l2_close(fd);
}

/// Takes a device's buffers away behind libv4l2's back, which refuses while any is mapped. The
/// kernel lets them go, and the mappings live on.
static void orphan_buffers(int fd) {
  const uint32_t types[] = {V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE};
  for (int i = 0; i < 2; i += 1) {
    struct v4l2_requestbuffers none = {.type = types[i], .memory = V4L2_MEMORY_MMAP};
    if (ioctl(fd, VIDIOC_REQBUFS, &none) == 0)
      return;
  }
}

static int libv4l2_ioctl(void *context, int fd, unsigned long request, void *argument) {
  (void)context;
  int result = v4l2_ioctl(fd, request, argument);
  if (result < 0 && errno == EBUSY && request == VIDIOC_REQBUFS &&
      ((struct v4l2_requestbuffers *)argument)->count == 0) {
    // Still an error: libv4l2 believes in the buffers until the node is closed.
    orphan_buffers(fd);
    errno = EBUSY;
  }
  return result;
}

static void *libv4l2_mmap(void *context, size_t length, int protection, int fd, int64_t offset) {
  (void)context;
  return v4l2_mmap(NULL, length, protection, MAP_SHARED, fd, offset);
}

static int libv4l2_munmap(void *context, void *address, size_t length) {
  (void)context;
  return v4l2_munmap(address, length);
}

static ssize_t libv4l2_write(void *context, int fd, const void *bytes, size_t count) {
  (void)context;
  return v4l2_write(fd, bytes, count);
}

const vf_system vf_system_libv4l2 = {
    .name = "libv4l2",
    .open = libv4l2_open,
    .close = libv4l2_close,
    .ioctl = libv4l2_ioctl,
    .mmap = libv4l2_mmap,
    .munmap = libv4l2_munmap,
    .poll = linux_poll,
    .write = libv4l2_write,
};

// MARK: Shared by all tables

/// A call that was interrupted so often in a row fails: signals pass, a driver that says so for
/// ever mustn't hold us.
#define MAX_INTERRUPTIONS 100

int vf_ioctl(const vf_system *system, int fd, unsigned long request, void *argument) {
  if (fd < 0) {
    // The node was lost when it was opened again.
    errno = ENODEV;
    return -1;
  }
  int result = -1;
  for (int i = 0; i < MAX_INTERRUPTIONS; i += 1) {
    result = system->ioctl(system->context, fd, request, argument);
    if (result >= 0 || errno != EINTR)
      break;
  }
  return result;
}

int vf_open(const vf_system *system, const char *path) {
  int fd = -1;
  for (int i = 0; i < MAX_INTERRUPTIONS; i += 1) {
    fd = system->open(system->context, path, O_RDWR | O_NONBLOCK);
    if (fd >= 0 || errno != EINTR)
      break;
  }
  return fd;
}

int64_t vf_clock(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void vf_copy_words(char *to, size_t capacity, const void *from, size_t count) {
  size_t length = strnlen(from, count);
  if (length >= capacity)
    length = capacity - 1;
  memcpy(to, from, length);
  memset(to + length, 0, capacity - length);
}
