#ifndef VF_SIM_DESCRIPTORS_H
#define VF_SIM_DESCRIPTORS_H

#include <pthread.h>

#include "simulate/machine/device.h"
#include "vf_simulator.h"

#pragma clang assume_nonnull begin

// Descriptors, mappings and threads around a device that knows none of them. What isn't a system
// call of the table is called with the mutex held.

/// An open descriptor: a timerfd, so that it can be polled beside others.
typedef struct vf_sim_handle {
  vf_sim_file file;
  int fd;
  /// Calls under way: the last one frees a handle that was closed meanwhile.
  uint32_t users;
  uint8_t closed;
} vf_sim_handle;

/// A mapping that the application holds.
typedef struct vf_sim_mapping {
  void *address;
  size_t length;
  /// The buffer, when `set` is still the current set of buffers.
  uint32_t buffer, set;
} vf_sim_mapping;

struct vf_simulator {
  vf_system system;
  pthread_mutex_t mutex;
  /// Signalled when something changes that a blocking call may wait for.
  pthread_cond_t changed;
  /// Each handle's file is the device's at the same place.
  vf_sim_device device;
  vf_sim_handle *_Nullable handles[VF_SIM_FILES];
  uint32_t handle_count;
  /// Threads inside poll, which a change must wake.
  uint32_t waiters;
  vf_sim_mapping *_Nullable mappings;
  uint32_t mapping_count, mapping_capacity;
};

/// The handle with this descriptor, or NULL.
vf_sim_handle *_Nullable vf_sim_find_handle(const vf_simulator *simulator, int fd);

/// Makes a handle's descriptor readable at `time` (0: at once, VF_SIM_NEVER: not at all).
void vf_sim_arm(const vf_sim_handle *handle, int64_t time);

/// Wakes whoever waits, when the device has changed.
void vf_sim_wake(vf_simulator *simulator);

/// Brings the device up to now.
void vf_sim_catch_up(vf_simulator *simulator);

int vf_sim_open(void *_Nullable context, const char *path, int flags);
int vf_sim_close(void *_Nullable context, int fd);
int vf_sim_ioctl(void *_Nullable context, int fd, unsigned long request, void *_Nullable argument);
void *_Nullable vf_sim_mmap(void *_Nullable context, size_t length, int protection, int fd,
                            int64_t offset);
int vf_sim_munmap(void *_Nullable context, void *address, size_t length);

#pragma clang assume_nonnull end

#endif
