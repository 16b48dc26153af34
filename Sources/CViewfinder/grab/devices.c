#include "vf_devices.h"

#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"
#include "grab/links.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/// Drivers whose video nodes carry what an image processor, set up by libcamera, makes of a sensor.
static const char *const pipeline_drivers[] = {
    "unicam",       "rp1-cfe",       "bcm2835-isp", "pispbe",   "rkisp",      "ipu3-cio2",
    "ipu3-imgu",    "ipu6",          "intel-ipu6",  "atomisp",  "qcom-camss", "mtk-cam",
    "stm32-dcmipp", "visconti-viif", "mali-c55",    "imx8-isi", "mxc-isi",
};

static bool is_pipeline_driver(const char *driver) {
  for (size_t i = 0; i < sizeof pipeline_drivers / sizeof *pipeline_drivers; i += 1) {
    if (strncmp(driver, pipeline_drivers[i], strlen(pipeline_drivers[i])) == 0)
      return true;
  }
  return false;
}

static bool has_format(const vf_system *system, int fd, uint32_t capabilities) {
  struct v4l2_fmtdesc format = {.type = capabilities & V4L2_CAP_VIDEO_CAPTURE
                                            ? V4L2_BUF_TYPE_VIDEO_CAPTURE
                                            : V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE};
  return vf_ioctl(system, fd, VIDIOC_ENUM_FMT, &format) == 0;
}

static uint32_t kind_of(const vf_system *system, int fd, const vf_device *device) {
  uint32_t capabilities = device->capabilities;
  bool captures = capabilities & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE);
  bool converts = capabilities & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE);
  if (converts)
    return VF_DEVICE_CONVERTER;
  if (!captures && (capabilities & V4L2_CAP_META_CAPTURE))
    return VF_DEVICE_METADATA;
  if (!captures && (capabilities & (V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_VIDEO_OUTPUT_MPLANE)))
    return VF_DEVICE_OUTPUT;
  if (!captures || !(capabilities & V4L2_CAP_STREAMING))
    return VF_DEVICE_OTHER;
  if ((capabilities & V4L2_CAP_IO_MC) || is_pipeline_driver(device->driver))
    return VF_DEVICE_CSI;
  return has_format(system, fd, capabilities) ? VF_DEVICE_CAPTURE : VF_DEVICE_OTHER;
}

/// Opens the node and asks it what it is.
static void ask(const vf_system *system, const char *path, vf_device *device) {
  device->kind = VF_DEVICE_UNREADABLE;
  int fd = vf_open(system, path);
  if (fd < 0) {
    device->access_error = errno;
    return;
  }
  struct v4l2_capability about = {0};
  if (vf_ioctl(system, fd, VIDIOC_QUERYCAP, &about) != 0) {
    device->access_error = errno;
  } else {
    vf_copy_words(device->name, sizeof device->name, about.card, sizeof about.card);
    vf_copy_words(device->driver, sizeof device->driver, about.driver, sizeof about.driver);
    vf_copy_words(device->bus_info, sizeof device->bus_info, about.bus_info, sizeof about.bus_info);
    device->capabilities = vf_node_capabilities(about.capabilities, about.device_caps);
    device->kind = kind_of(system, fd, device);
  }
  system->close(system->context, fd);
}

/// The index of a node among those of its device, where nothing tells it.
#define NO_INDEX UINT32_MAX

/// Puts together the id that outlives replugging and rebooting. Bus information alone names several
/// nodes of a device: without an index, the path has to do.
static void make_unique_id(vf_device *device, uint32_t index) {
  char stem[sizeof device->by_path];
  memcpy(stem, device->by_path, sizeof stem);
  char *suffix = strstr(stem, "-video-index");
  if (suffix) {
    index = (uint32_t)strtoul(suffix + strlen("-video-index"), NULL, 10);
    *suffix = 0;
  } else if (!stem[0] && index != NO_INDEX) {
    vf_copy_words(stem, sizeof stem, device->bus_info, sizeof device->bus_info);
  }
  if (!stem[0]) {
    vf_copy_words(device->unique_id, sizeof device->unique_id, device->path, sizeof device->path);
  } else if (index && index != NO_INDEX) {
    snprintf(device->unique_id, sizeof device->unique_id, "%.240s:%u", stem, index);
  } else {
    vf_copy_words(device->unique_id, sizeof device->unique_id, stem, sizeof stem);
  }
}

/// Fills in a device whose `path` is set. Returns false when there is no such node.
static bool describe(const vf_system *system, const char *root, const char *node,
                     vf_device *device) {
  char full[PATH_MAX];
  if (snprintf(full, sizeof full, "%s%s", root, device->path) >= (int)sizeof full)
    return false;
  struct stat about;
  if (stat(full, &about) == 0 && S_ISCHR(about.st_mode)) {
    device->number = (uint32_t)(major(about.st_rdev) << 20 | minor(about.st_rdev));
  }
  ask(system, full, device);
  uint32_t index = NO_INDEX;
  vf_read_class(root, node, device, &index);
  vf_read_links(root, node, device);
  make_unique_id(device, index);
  return !(device->kind == VF_DEVICE_UNREADABLE && device->access_error == ENOENT);
}

int vf_device_describe(const vf_system *system, const char *root, const char *path,
                       vf_device *device, vf_failure *failure) {
  *device = (vf_device){0};
  char full[PATH_MAX], resolved[PATH_MAX], folder[PATH_MAX], folder_resolved[PATH_MAX];
  if (snprintf(full, sizeof full, "%s%s", root, path) >= (int)sizeof full ||
      snprintf(folder, sizeof folder, "%s/dev", root) >= (int)sizeof folder) {
    return vf_fail(failure, ENAMETOOLONG, "open", NULL);
  }
  // A link in by-id is the node that it points to.
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  bool is_canonical = false;
  if (realpath(full, resolved) && realpath(folder, folder_resolved)) {
    char *slash = strrchr(resolved, '/');
    size_t length = (size_t)(slash - resolved);
    if (strlen(folder_resolved) == length && strncmp(folder_resolved, resolved, length) == 0) {
      name = slash + 1;
      int size = snprintf(device->path, sizeof device->path, "/dev/%s", name);
      is_canonical = size > 0 && size < (int)sizeof device->path;
    }
  }
  if (!is_canonical) {
    if (strlen(path) >= sizeof device->path)
      return vf_fail(failure, ENAMETOOLONG, "open", NULL);
    vf_copy_words(device->path, sizeof device->path, path, strlen(path));
  }
  if (!describe(system, root, name, device))
    return vf_fail(failure, ENOENT, "open", NULL);
  return 0;
}

// MARK: Listing

/// The number in "videoN", or -1.
static int64_t node_number(const char *name) {
  if (strncmp(name, "video", 5) != 0 || name[5] < '0' || name[5] > '9')
    return -1;
  char *end;
  errno = 0;
  unsigned long number = strtoul(name + 5, &end, 10);
  return *end || errno || number > UINT16_MAX ? -1 : (int64_t)number;
}

/// Marks the nodes that a folder names. Returns false where the folder can't be read.
static bool collect(const char *root, const char *folder, uint8_t *present) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s%s", root, folder) >= (int)sizeof path)
    return false;
  DIR *list = opendir(path);
  if (!list)
    return false;
  const struct dirent *entry;
  while ((entry = readdir(list))) {
    int64_t number = node_number(entry->d_name);
    if (number >= 0)
      present[number] = 1;
  }
  closedir(list);
  return true;
}

int vf_devices_list(const vf_system *system, const char *root, vf_device **devices,
                    vf_failure *failure) {
  *devices = NULL;
  uint8_t *present = calloc(UINT16_MAX + 1, 1);
  if (!present)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  // A container may have one without the other.
  collect(root, "/sys/class/video4linux", present);
  collect(root, "/dev", present);
  size_t capacity = 0;
  for (size_t i = 0; i <= UINT16_MAX; i += 1)
    capacity += present[i];
  vf_device *list = capacity ? calloc(capacity, sizeof *list) : NULL;
  if (capacity && !list) {
    free(present);
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  }
  int count = 0;
  for (uint32_t i = 0; i <= UINT16_MAX; i += 1) {
    if (!present[i])
      continue;
    vf_device *device = &list[count];
    char node[16];
    snprintf(node, sizeof node, "video%u", i);
    snprintf(device->path, sizeof device->path, "/dev/%s", node);
    // A node that isn't there is listed nevertheless: in a container it has to be passed in.
    describe(system, root, node, device);
    bool is_repeated = false;
    for (int j = 0; device->number && j < count; j += 1) {
      is_repeated = is_repeated || list[j].number == device->number;
    }
    if (is_repeated)
      *device = (vf_device){0};
    else
      count += 1;
  }
  free(present);
  *devices = list;
  return count;
}
