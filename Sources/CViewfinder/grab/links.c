#include "grab/links.h"

#include "grab/calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/// How far above the video node its USB device can be: interface, device, and hubs of composites.
#define MAX_LEVELS 8

/// Reads a one-line attribute. Returns false, with `words` empty, where there is none.
static bool read_attribute(const char *folder, const char *name, char *words, size_t capacity) {
  char path[PATH_MAX], line[256];
  words[0] = 0;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t length = read(fd, line, sizeof line);
  close(fd);
  while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == ' '))
    length -= 1;
  if (length <= 0)
    return false;
  vf_copy_words(words, capacity, line, (size_t)length);
  return true;
}

/// Walks up from the video node to the USB device that it belongs to.
static void read_usb(const char *root, const char *class_folder, vf_device *device) {
  char path[PATH_MAX], folder[PATH_MAX], top[PATH_MAX], words[64];
  if (snprintf(path, sizeof path, "%s/device", class_folder) >= (int)sizeof path ||
      snprintf(top, sizeof top, "%s/sys", root) >= (int)sizeof top) {
    return;
  }
  char resolved_top[PATH_MAX];
  if (!realpath(path, folder) || !realpath(top, resolved_top))
    return;
  size_t top_length = strlen(resolved_top);
  for (int level = 0; level < MAX_LEVELS; level += 1) {
    if (strncmp(folder, resolved_top, top_length) != 0 || folder[top_length] != '/')
      return;
    if (read_attribute(folder, "idVendor", words, sizeof words)) {
      device->usb_vendor = (uint16_t)strtoul(words, NULL, 16);
      if (read_attribute(folder, "idProduct", words, sizeof words)) {
        device->usb_product = (uint16_t)strtoul(words, NULL, 16);
      }
      read_attribute(folder, "manufacturer", device->manufacturer, sizeof device->manufacturer);
      read_attribute(folder, "product", device->product, sizeof device->product);
      read_attribute(folder, "serial", device->serial, sizeof device->serial);
      return;
    }
    *strrchr(folder, '/') = 0;
  }
}

void vf_read_class(const char *root, const char *node, vf_device *device, uint32_t *index) {
  char folder[PATH_MAX], words[64];
  if (snprintf(folder, sizeof folder, "%s/sys/class/video4linux/%s", root, node) >=
      (int)sizeof folder) {
    return;
  }
  if (read_attribute(folder, "index", words, sizeof words)) {
    *index = (uint32_t)strtoul(words, NULL, 10);
  }
  if (!device->name[0])
    read_attribute(folder, "name", device->name, sizeof device->name);
  unsigned major, minor;
  if (!device->number && read_attribute(folder, "dev", words, sizeof words) &&
      sscanf(words, "%u:%u", &major, &minor) == 2) {
    device->number = major << 20 | minor;
  }
  read_usb(root, folder, device);
}

/// Whether a link leads to the node: by its target's name, or, where the target was given another
/// one, by its device number.
static bool leads_to(int folder, const char *link, const char *node, const vf_device *device) {
  char target[PATH_MAX];
  ssize_t length = readlinkat(folder, link, target, sizeof target - 1);
  if (length > 0) {
    target[length] = 0;
    const char *name = strrchr(target, '/');
    if (strcmp(name ? name + 1 : target, node) == 0)
      return true;
  }
  struct stat about;
  return device->number && fstatat(folder, link, &about, 0) == 0 && S_ISCHR(about.st_mode) &&
         (major(about.st_rdev) << 20 | minor(about.st_rdev)) == device->number;
}

/// Finds the shortest link to the node, the first by name among equals: newer versions of udev add
/// longer aliases ("usbv2-…") for the same port.
static void find_link(const char *root, const char *folder, const char *node,
                      const vf_device *device, char found[256]) {
  char path[PATH_MAX];
  found[0] = 0;
  if (snprintf(path, sizeof path, "%s/dev/v4l/%s", root, folder) >= (int)sizeof path)
    return;
  DIR *list = opendir(path);
  if (!list)
    return;
  const struct dirent *entry;
  while ((entry = readdir(list))) {
    size_t length = strlen(entry->d_name), best = strlen(found);
    if (entry->d_name[0] == '.' || length >= 256)
      continue;
    if (!leads_to(dirfd(list), entry->d_name, node, device))
      continue;
    if (!best || length < best || (length == best && strcmp(entry->d_name, found) < 0)) {
      vf_copy_words(found, 256, entry->d_name, length);
    }
  }
  closedir(list);
}

void vf_read_links(const char *root, const char *node, vf_device *device) {
  find_link(root, "by-path", node, device, device->by_path);
  find_link(root, "by-id", node, device, device->by_id);
}
