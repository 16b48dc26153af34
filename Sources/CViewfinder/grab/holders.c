#include "vf_devices.h"

#include "grab/calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What to look for.
typedef struct sought {
  char path[PATH_MAX];
  bool is_device;
  dev_t device;
} sought;

static bool is_same(int directory, const char *name, const sought *sought) {
  char target[PATH_MAX];
  ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
  if (length <= 0)
    return false;
  target[length] = 0;
  if (strcmp(target, sought->path) == 0)
    return true;
  // Containers and their hosts see one device under different paths. Only what looks like a node is
  // asked: a file on a dead network mount would not answer.
  struct stat about;
  return sought->is_device && strncmp(target, "/dev/", 5) == 0 &&
         fstatat(directory, name, &about, 0) == 0 && S_ISCHR(about.st_mode) &&
         about.st_rdev == sought->device;
}

/// Whether a process has the node open. False, too, when it is another user's.
static bool holds(int processes, const char *pid, const sought *sought) {
  char path[64];
  snprintf(path, sizeof path, "%.20s/fd", pid);
  int fd = openat(processes, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return false;
  DIR *list = fdopendir(fd);
  if (!list) {
    close(fd);
    return false;
  }
  bool found = false;
  const struct dirent *entry;
  while (!found && (entry = readdir(list))) {
    found = entry->d_name[0] != '.' && is_same(fd, entry->d_name, sought);
  }
  closedir(list);
  return found;
}

static void read_name(int processes, const char *pid, char *name, size_t capacity) {
  char path[64], words[64];
  name[0] = 0;
  snprintf(path, sizeof path, "%.20s/comm", pid);
  int fd = openat(processes, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  ssize_t length = read(fd, words, sizeof words);
  close(fd);
  if (length <= 0)
    return;
  if (words[length - 1] == '\n')
    length -= 1;
  vf_copy_words(name, capacity, words, (size_t)length);
}

size_t vf_device_holders(const char *path, vf_holder *holders, size_t capacity) {
  sought sought = {0};
  if (!realpath(path, sought.path))
    return 0;
  struct stat about;
  if (stat(sought.path, &about) == 0 && S_ISCHR(about.st_mode)) {
    sought.is_device = true;
    sought.device = about.st_rdev;
  }
  DIR *list = opendir("/proc");
  if (!list)
    return 0;
  int processes = dirfd(list);
  size_t count = 0;
  const struct dirent *entry;
  while ((entry = readdir(list))) {
    char *end;
    long pid = strtol(entry->d_name, &end, 10);
    if (*end || pid <= 0 || pid > INT32_MAX || pid == getpid())
      continue;
    if (!holds(processes, entry->d_name, &sought))
      continue;
    if (count < capacity) {
      vf_holder *holder = &holders[count];
      *holder = (vf_holder){.pid = (int32_t)pid};
      read_name(processes, entry->d_name, holder->name, sizeof holder->name);
    }
    count += 1;
  }
  closedir(list);
  return count;
}
