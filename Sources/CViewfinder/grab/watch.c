#include "vf_watch.h"

#include "failure.h"
#include "grab/calls.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Between looks where inotify can't be had, in milliseconds.
#define LOOK_INTERVAL 1000

/// Where nodes and udev's links to them are. Later ones may come to be after a camera is plugged
/// in.
static const char *const folders[] = {"/dev", "/dev/v4l", "/dev/v4l/by-path", "/dev/v4l/by-id"};
#define FOLDERS (sizeof folders / sizeof *folders)

struct vf_watch {
  char *root;
  /// -1 where there is no inotify.
  int notifier;
  int wake;
  /// The watch on each folder, or -1.
  int watches[FOLDERS];
  /// Of the nodes when they were last looked at.
  uint64_t fingerprint;
};

static bool is_about_cameras(const char *name) {
  return strncmp(name, "video", 5) == 0 || strncmp(name, "v4l", 3) == 0;
}

/// Watches the folders that are there and weren't. Watching one again changes nothing.
static void watch_folders(vf_watch *watch) {
  for (size_t i = 0; i < FOLDERS; i += 1) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s%s", watch->root, folders[i]) >= (int)sizeof path)
      continue;
    watch->watches[i] =
        inotify_add_watch(watch->notifier, path,
                          IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO |
                              IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
  }
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
  const uint8_t *byte = bytes;
  for (size_t i = 0; i < count; i += 1)
    hash = (hash ^ byte[i]) * 0x100000001B3u;
  return hash;
}

/// A number that differs when nodes, their owners, groups or permissions do. The order of a
/// folder's entries doesn't count.
static uint64_t look(const vf_watch *watch) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/dev", watch->root) >= (int)sizeof path)
    return 0;
  DIR *list = opendir(path);
  if (!list)
    return 0;
  uint64_t sum = 0;
  const struct dirent *entry;
  while ((entry = readdir(list))) {
    struct stat about;
    if (!is_about_cameras(entry->d_name) || fstatat(dirfd(list), entry->d_name, &about, 0) != 0)
      continue;
    uint64_t hash = mix(0xCBF29CE484222325u, entry->d_name, strlen(entry->d_name));
    hash = mix(hash, &about.st_rdev, sizeof about.st_rdev);
    hash = mix(hash, &about.st_mode, sizeof about.st_mode);
    hash = mix(hash, &about.st_uid, sizeof about.st_uid);
    hash = mix(hash, &about.st_gid, sizeof about.st_gid);
    sum += mix(hash, &about.st_ino, sizeof about.st_ino);
  }
  closedir(list);
  return sum;
}

vf_watch *vf_watch_open(const char *root, vf_failure *failure) {
  vf_watch *watch = calloc(1, sizeof *watch);
  char *copy = strdup(root);
  if (!watch || !copy) {
    vf_fail(failure, ENOMEM, "malloc", NULL);
    free(copy);
    free(watch);
    return NULL;
  }
  watch->root = copy;
  watch->notifier = -1;
  watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (watch->wake < 0) {
    vf_fail(failure, errno, "eventfd", NULL);
    vf_watch_close(watch);
    return NULL;
  }
  // A user may have no instance left: looking serves as well, only later.
  watch->notifier = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch->notifier >= 0) {
    watch_folders(watch);
    if (watch->watches[0] < 0) {
      close(watch->notifier);
      watch->notifier = -1;
    }
  }
  watch->fingerprint = look(watch);
  return watch;
}

void vf_watch_close(vf_watch *watch) {
  if (!watch)
    return;
  if (watch->notifier >= 0)
    close(watch->notifier);
  if (watch->wake >= 0)
    close(watch->wake);
  free(watch->root);
  free(watch);
}

/// Reads the pending events. Returns whether one is about cameras.
static bool read_events(vf_watch *watch) {
  bool found = false;
  _Alignas(struct inotify_event) char bytes[4096];
  ssize_t count;
  while ((count = read(watch->notifier, bytes, sizeof bytes)) > 0) {
    for (ssize_t at = 0; at < count;) {
      const struct inotify_event *event = (const struct inotify_event *)(bytes + at);
      at += (ssize_t)(sizeof *event + event->len);
      // In udev's folders every name is a camera's.
      bool is_in_dev = event->wd == watch->watches[0];
      found = found || (event->mask & (IN_Q_OVERFLOW | IN_DELETE_SELF)) || !is_in_dev ||
              (event->len && is_about_cameras(event->name));
    }
  }
  if (found)
    watch_folders(watch);
  return found;
}

static bool take_interruption(vf_watch *watch) {
  uint64_t count;
  return read(watch->wake, &count, sizeof count) > 0;
}

int vf_watch_wait(vf_watch *watch, int timeout_milliseconds) {
  int64_t deadline = timeout_milliseconds < 0
                         ? INT64_MAX
                         : vf_clock(CLOCK_MONOTONIC) + (int64_t)timeout_milliseconds * 1000000;
  bool is_notified = watch->notifier >= 0;
  for (;;) {
    int64_t left = deadline - vf_clock(CLOCK_MONOTONIC);
    int timeout = timeout_milliseconds < 0 ? -1 : left > 0 ? (int)((left + 999999) / 1000000) : 0;
    if (!is_notified && (timeout < 0 || timeout > LOOK_INTERVAL))
      timeout = LOOK_INTERVAL;
    struct pollfd descriptors[2] = {{.fd = watch->wake, .events = POLLIN},
                                    {.fd = watch->notifier, .events = POLLIN}};
    poll(descriptors, is_notified ? 2 : 1, timeout);
    if (take_interruption(watch))
      return 0;
    if (is_notified) {
      if (read_events(watch))
        return 1;
    } else {
      uint64_t fingerprint = look(watch);
      if (fingerprint != watch->fingerprint) {
        watch->fingerprint = fingerprint;
        return 1;
      }
    }
    if (timeout_milliseconds >= 0 && vf_clock(CLOCK_MONOTONIC) >= deadline)
      return 0;
  }
}

void vf_watch_interrupt(vf_watch *watch) {
  uint64_t one = 1;
  // Fails only when the counter is full: then the waiter wakes anyway.
  ssize_t written = write(watch->wake, &one, sizeof one);
  (void)written;
}

int vf_watch_is_notified(const vf_watch *watch) { return watch->notifier >= 0; }
