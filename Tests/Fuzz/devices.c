#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <sys/stat.h>

// What sysfs, udev's links and VIDIOC_QUERYCAP say of a node. The input is lines: one for each
// attribute, then the names of links and where they lead; what QUERYCAP answers comes from the end.

#define DEVICE "sys/devices/usb1/1-2"
#define CLASS "sys/class/video4linux/video0"

static const char *const attributes[] = {
    CLASS "/index",      CLASS "/name",          CLASS "/dev",      DEVICE "/idVendor",
    DEVICE "/idProduct", DEVICE "/manufacturer", DEVICE "/product", DEVICE "/serial",
};

#define ATTRIBUTES (sizeof attributes / sizeof *attributes)

static const char *const folders[] = {
    "sys",
    "sys/devices",
    "sys/devices/usb1",
    DEVICE,
    DEVICE "/1-2:1.0",
    "sys/class",
    "sys/class/video4linux",
    CLASS,
    "dev",
    "dev/v4l",
    "dev/v4l/by-path",
    "dev/v4l/by-id",
};

static int files[ATTRIBUTES];

static void remove_folder(void) {
  for (size_t i = 0; i < ATTRIBUTES; i++)
    unlink(in_folder("%s", attributes[i]));
  unlink(in_folder(CLASS "/device"));
  unlink(in_folder("dev/video0"));
  for (size_t i = sizeof folders / sizeof *folders; i > 0; i--)
    rmdir(in_folder("%s", folders[i - 1]));
  rmdir(folder);
}

__attribute__((constructor)) static void prepare(void) {
  make_folder();
  atexit(remove_folder);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    REQUIRE(mkdir(in_folder("%s", folders[i]), 0700) == 0);
  for (size_t i = 0; i < ATTRIBUTES; i++) {
    files[i] = open(in_folder("%s", attributes[i]), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(files[i] >= 0);
  }
  REQUIRE(symlink(in_folder(DEVICE "/1-2:1.0"), in_folder(CLASS "/device")) == 0);
  REQUIRE(symlink("/dev/null", in_folder("dev/video0")) == 0);
}

// MARK: The node

static input answers;
static int opened;

static int node_open(void *context, const char *path, int flags) {
  (void)context, (void)path, (void)flags;
  uint8_t answer = take8(&answers);
  if (answer > 250) {
    errno = answer == 251 ? EACCES : answer == 252 ? ENOENT : EIO;
    return -1;
  }
  opened++;
  return 1000;
}

static int node_close(void *context, int fd) {
  (void)context;
  REQUIRE(fd == 1000);
  opened--;
  return 0;
}

static int node_ioctl(void *context, int fd, unsigned long request, void *argument) {
  (void)context;
  REQUIRE(fd == 1000);
  if (take8(&answers) > 250) {
    errno = ENOTTY;
    return -1;
  }
  if (request == VIDIOC_QUERYCAP) {
    struct v4l2_capability *about = argument;
    for (size_t i = 0; i < sizeof *about; i++)
      ((uint8_t *)about)[i] = take8(&answers);
  }
  return 0;
}

static const vf_system node = {
    .name = "fuzz", .open = node_open, .close = node_close, .ioctl = node_ioctl};

// MARK: The input

/// Takes a line from the start of the text.
static size_t take_line(const uint8_t *_Nonnull *_Nonnull text, size_t *left) {
  const uint8_t *start = *text, *end = *left ? memchr(start, '\n', *left) : NULL;
  size_t length = end ? (size_t)(end - start) : *left;
  size_t used = end ? length + 1 : length;
  *text += used;
  *left -= used;
  return length;
}

/// A line as words; whatever can't be in a file's name is left out of `name`s.
static void take_words(const uint8_t *_Nonnull *_Nonnull text, size_t *left, char words[256],
                       bool is_name) {
  const uint8_t *line = *text;
  size_t length = take_line(text, left), count = 0;
  for (size_t i = 0; i < length && count < 255; i++) {
    if (line[i] && !(is_name && line[i] == '/'))
      words[count++] = (char)line[i];
  }
  words[count] = 0;
}

#define REQUIRE_WORDS(field) REQUIRE(memchr(field, 0, sizeof field))

static void require_device(const vf_device *device) {
  REQUIRE_WORDS(device->path);
  REQUIRE_WORDS(device->unique_id);
  REQUIRE_WORDS(device->name);
  REQUIRE_WORDS(device->driver);
  REQUIRE_WORDS(device->bus_info);
  REQUIRE_WORDS(device->by_path);
  REQUIRE_WORDS(device->by_id);
  REQUIRE_WORDS(device->manufacturer);
  REQUIRE_WORDS(device->product);
  REQUIRE_WORDS(device->serial);
  REQUIRE(device->unique_id[0] || !device->path[0]);
  REQUIRE(device->kind <= VF_DEVICE_OUTPUT);
  REQUIRE((device->kind == VF_DEVICE_UNREADABLE) == (device->access_error != 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *text = data;
  size_t left = size;
  answers = (input){data, size};
  for (size_t i = 0; i < ATTRIBUTES; i++) {
    const uint8_t *line = text;
    size_t length = take_line(&text, &left);
    set_contents(files[i], line, length);
  }
  char names[2][256], target[256], path[256];
  for (int i = 0; i < 2; i++) {
    take_words(&text, &left, names[i], true);
    take_words(&text, &left, target, false);
    // Neither "." nor "..", nor empty: then there is no link.
    if (symlink(target[0] ? target : "../../video0",
                in_folder("dev/v4l/%s/%s", i ? "by-id" : "by-path", names[i])) != 0)
      names[i][0] = 0;
  }
  take_words(&text, &left, path, false);

  vf_device *devices;
  vf_failure failure;
  int count = vf_devices_list(&node, folder, &devices, &failure);
  REQUIRE(count == 1);
  require_device(devices);
  free(devices);
  char link[600];
  snprintf(link, sizeof link, "/dev/v4l/by-path/%s", names[0]);
  const char *const paths[] = {"/dev/video0", link, path};
  for (int i = 0; i < 3; i++) {
    vf_device device;
    int code = vf_device_describe(&node, folder, paths[i], &device, &failure);
    if (code < 0)
      require_failure(code, &failure);
    else
      require_device(&device);
  }
  REQUIRE(opened == 0);
  for (int i = 0; i < 2; i++) {
    if (names[i][0])
      unlink(in_folder("dev/v4l/%s/%s", i ? "by-id" : "by-path", names[i]));
  }
  return 0;
}
