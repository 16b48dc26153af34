#ifndef VF_SIM_MEMORY_H
#define VF_SIM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Memory with a descriptor, which the application may map too.
typedef struct vf_sim_memory {
  int fd;
  uint8_t *bytes;
  uint32_t length;
} vf_sim_memory;

/// Returns 0 or a positive errno.
int vf_sim_memory_make(vf_sim_memory *memory, uint32_t length);

/// The application's own mappings and descriptors keep the memory as long as it needs it.
void vf_sim_memory_free(vf_sim_memory *memory);

/// Maps it once more. Returns NULL with `errno` set when that fails.
void *_Nullable vf_sim_memory_map(const vf_sim_memory *memory, size_t length, int protection);

/// Whether a mapping of `length` bytes lies inside, in whole pages.
int vf_sim_memory_holds(const vf_sim_memory *memory, size_t length);

/// A descriptor of its own, or -1 with `errno` set.
int vf_sim_memory_export(const vf_sim_memory *memory, int closes_on_exec);

#pragma clang assume_nonnull end

#endif
