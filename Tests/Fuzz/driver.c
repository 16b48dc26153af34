#include "driver.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/mman.h>

// MARK: The input

uint8_t driver_byte(driver *driver) {
  if (!driver->lies.count && driver->repeats)
    driver->lies = driver->all;
  return take8(&driver->lies);
}

uint32_t driver_word(driver *driver) {
  // Where comparing is done: at zero, at the ends of the types, and at a few sizes.
  static const uint32_t interesting[] = {
      0,        1,     2,  3,    UINT32_MAX, 1u << 31, INT32_MAX, UINT16_MAX,
      1u << 16, 65501, 64, 4096, 1000000000, VF_YUYV,  VF_MJPEG,  VF_NV12};
  uint8_t choice = driver_byte(driver);
  if (choice & 0x80)
    return interesting[choice % (sizeof interesting / sizeof *interesting)];
  uint32_t value = choice;
  for (int i = 0; i < 3; i++)
    value = value << 8 | driver_byte(driver);
  return value;
}

void driver_begin(driver *driver, const uint8_t *bytes, size_t count) {
  *driver = (struct driver){.all = {bytes, count}, .next_fd = FIRST_FD};
  driver->lies = driver->all;
  uint8_t nature = driver_byte(driver);
  driver->is_multiplanar = nature & 1;
  driver->repeats = nature & 2 && count > 1;
  driver->fourcc = nature & 4 ? VF_MJPEG : VF_YUYV;
  driver->is_loopback = nature & 8;
  driver->width = 16;
  driver->height = 8;
}

void driver_end(driver *driver) {
  REQUIRE(!driver->opened);
  for (int i = 0; i < MOST_MAPPINGS; i++)
    REQUIRE(!driver->mappings[i].address);
}

// MARK: Lying

static int fail(int code) {
  errno = code;
  return -1;
}

/// An error, as drivers and the kernel return them.
static int take_errno(driver *driver) {
  static const int codes[] = {EINVAL, ENOTTY, ENODEV, EBUSY,  EAGAIN, EIO,    EPIPE, ENOMEM,
                              EINTR,  ENXIO,  ENOSPC, EACCES, ERANGE, ENOSYS, EBADF, EPERM};
  return codes[driver_byte(driver) % (sizeof codes / sizeof *codes)];
}

/// Changes something in an answer, or all of it.
static void distort(driver *driver, uint8_t *answer, size_t size, uint8_t how) {
  switch (how % 4) {
  case 0: {
    size_t at = driver_byte(driver) % size;
    answer[at] = driver_byte(driver);
    break;
  }
  case 1:
  case 2: {
    // Most fields are words.
    if (size < 4)
      break;
    size_t words = size / 4, at = driver_byte(driver) % words;
    uint32_t word = driver_word(driver);
    memcpy(answer + 4 * at, &word, sizeof word);
    break;
  }
  default:
    for (size_t i = 0; i < size; i++)
      answer[i] = driver_byte(driver);
    break;
  }
}

// MARK: The table

/// Fails a call. Interrupted ones are made again, but not for ever.
static int refuse(driver *driver) {
  int code = take_errno(driver);
  driver->interruptions = code == EINTR ? driver->interruptions + 1 : 0;
  REQUIRE(driver->interruptions <= MOST_INTERRUPTIONS);
  driver->calls -= code == EINTR && driver->calls;
  return fail(code);
}

static int driver_open(void *context, const char *path, int flags) {
  (void)path, (void)flags;
  driver *driver = context;
  if (driver_byte(driver) > 0xF0)
    return refuse(driver);
  driver->interruptions = 0;
  driver->opened++;
  return (int)driver->next_fd++;
}

static int driver_close(void *context, int fd) {
  driver *driver = context;
  REQUIRE(fd >= FIRST_FD && driver->opened);
  driver->opened--;
  return 0;
}

static int driver_ioctl(void *context, int fd, unsigned long request, void *argument) {
  driver *driver = context;
  REQUIRE(fd >= FIRST_FD && driver->opened);
  REQUIRE(++driver->calls < MOST_CALLS);
  uint8_t lie = driver_byte(driver);
  if (lie >= 0xE0)
    return refuse(driver);
  driver->interruptions = 0;
  // The kernel hands out the pointers in a structure as it got them, whatever a driver does.
  struct v4l2_plane *planes = NULL;
  uint32_t plane_count = 0;
  if (driver->is_multiplanar && (request == VIDIOC_QUERYBUF || request == VIDIOC_DQBUF)) {
    planes = ((struct v4l2_buffer *)argument)->m.planes;
    plane_count = ((struct v4l2_buffer *)argument)->length;
  }
  int code = camera_answer(driver, request, argument);
  if (code && lie < 0xC0)
    return fail(code);
  if (lie >= 0x80 && planes && lie & 8)
    distort(driver, (uint8_t *)planes, plane_count * sizeof *planes, lie);
  else if (lie >= 0x80)
    distort(driver, argument, _IOC_SIZE(request), lie);
  return 0;
}

static void *driver_mmap(void *context, size_t length, int protection, int fd, int64_t offset) {
  (void)protection, (void)offset;
  driver *driver = context;
  REQUIRE(fd >= FIRST_FD && driver->opened && length);
  uint8_t lie = driver_byte(driver);
  if (lie >= 0xF8 || length > 1 << 16) {
    errno = ENOMEM;
    return lie == 0xFF ? NULL : MAP_FAILED;
  }
  for (int i = 0; i < MOST_MAPPINGS; i++) {
    if (driver->mappings[i].address)
      continue;
    // Of exactly this length, so that a byte read past it is found.
    void *address = malloc(length);
    REQUIRE(address);
    memset(address, lie, length);
    driver->mappings[i] = (mapping){address, length};
    return address;
  }
  errno = ENOMEM;
  return MAP_FAILED;
}

static int driver_munmap(void *context, void *address, size_t length) {
  driver *driver = context;
  for (int i = 0; i < MOST_MAPPINGS; i++) {
    if (driver->mappings[i].address != address)
      continue;
    REQUIRE(driver->mappings[i].length == length);
    free(address);
    driver->mappings[i] = (mapping){0};
    return 0;
  }
  const bool was_mapped = false;
  REQUIRE(was_mapped);
  return -1;
}

static int driver_poll(void *context, struct pollfd *descriptors, uint64_t count, int timeout) {
  driver *driver = context;
  // A wait without a limit ends when somebody asks for it, and only then.
  driver->polls++;
  if (driver->polls == MOST_POLLS && driver->grabber)
    vf_grabber_interrupt(driver->grabber);
  REQUIRE(driver->polls < 2 * MOST_POLLS);
  // The wake-up descriptor is a real one.
  for (uint64_t i = 0; i < count; i++)
    descriptors[i].revents = 0;
  int ready = 0;
  if (descriptors[0].fd < FIRST_FD)
    ready = poll(descriptors, 1, 0);
  uint8_t lie = driver_byte(driver);
  struct pollfd *device = NULL;
  if (descriptors[count - 1].fd >= FIRST_FD)
    device = &descriptors[count - 1];
  if (!device) {
    // What would sleep until a frame comes back wakes up for nothing, or times out.
    return ready || (lie & 1 && timeout) ? 1 : 0;
  }
  if (lie >= 0xF8)
    return fail(take_errno(driver));
  device->revents = lie >= 0x80 ? (short)driver_byte(driver) : driver->queue ? POLLIN : 0;
  return ready + (device->revents != 0);
}

vf_system driver_system(driver *driver) {
  return (vf_system){.name = "fuzz",
                     .context = driver,
                     .open = driver_open,
                     .close = driver_close,
                     .ioctl = driver_ioctl,
                     .mmap = driver_mmap,
                     .munmap = driver_munmap,
                     .poll = driver_poll};
}
