#ifndef VF_FUZZ_DRIVER_H
#define VF_FUZZ_DRIVER_H

#include "fuzz.h"

#include <stdbool.h>

// A V4L2 driver that lies. It answers as a small camera would, except where the input tells it to
// fail, or to change something in its answer.

#pragma clang assume_nonnull begin

/// Calls that one call of the core may make before it counts as endless.
#define MOST_CALLS 150000

/// Interruptions in a row that the core may answer by calling again.
#define MOST_INTERRUPTIONS 1000

/// Polls after which a wait is interrupted.
#define MOST_POLLS 50

/// Mappings that may be there at a time.
#define MOST_MAPPINGS 256

/// The driver's only descriptor is this and those after it.
#define FIRST_FD 1000

typedef struct mapping {
  void *_Nullable address;
  size_t length;
} mapping;

typedef struct driver {
  /// What is left of the input, and all of it: a driver that repeats itself starts over.
  input lies, all;
  bool repeats, is_multiplanar, is_loopback;
  /// Whom to interrupt.
  vf_grabber *_Nullable grabber;
  /// Since the program's last action.
  uint32_t calls, polls;
  uint32_t interruptions;
  uint32_t opened, next_fd;
  mapping mappings[MOST_MAPPINGS];

  uint32_t buffer_count, sequence;
  /// Bit n: buffer n is queued.
  uint64_t queue;
  uint32_t fourcc, width, height;
} driver;

/// Starts with no descriptor and no mapping. The first bytes of the input are the driver's nature.
void driver_begin(driver *driver, const uint8_t *bytes, size_t count);

/// Ends with a finding when a descriptor or mapping is left.
void driver_end(driver *driver);

/// The next byte that decides something.
uint8_t driver_byte(driver *driver);

uint32_t driver_word(driver *driver);

/// The table of the driver's system calls. It holds as long as the driver.
vf_system driver_system(driver *driver);

/// Answers an ioctl as an honest camera of 16 × 8 pixels would. Returns 0 or an `errno`.
int camera_answer(driver *driver, unsigned long request, void *argument);

#pragma clang assume_nonnull end

#endif
