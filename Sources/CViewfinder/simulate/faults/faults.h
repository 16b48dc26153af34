#ifndef VF_SIM_FAULTS_H
#define VF_SIM_FAULTS_H

#include "simulate/frame.h"
#include "vf_failure.h"

#pragma clang assume_nonnull begin

// What shall go wrong, and when. Knows nothing of devices and pictures.

typedef enum vf_sim_fault_kind {
  VF_SIM_FAULT_UNPLUG,
  VF_SIM_FAULT_STALL,
  VF_SIM_FAULT_EIO,
  VF_SIM_FAULT_ERROR,
  VF_SIM_FAULT_TRUNCATE,
  VF_SIM_FAULT_CORRUPT,
  VF_SIM_FAULT_DROP,
  VF_SIM_FAULT_FORMAT,
  VF_SIM_FAULT_BLACK,
  VF_SIM_FAULT_KINDS
} vf_sim_fault_kind;

/// One line of a script of faults.
typedef struct vf_sim_fault {
  vf_sim_fault_kind kind;
  uint64_t first, last, every;
  /// Negative: not given.
  double seconds;
  /// The frame it fired at last in this stream, so that a stall doesn't fire again when it is over.
  uint64_t fired;
  /// Its frames were already past when it came: it waits for the next stream.
  uint8_t waits;
} vf_sim_fault;

/// Faults to come. Zeroed: none.
typedef struct vf_sim_script {
  vf_sim_fault *_Nullable faults;
  uint32_t count;
} vf_sim_script;

/// Reads a script's words. Returns 0 or a negative errno; the caller frees the result.
int vf_sim_script_read(const char *words, vf_sim_script *script, vf_failure *failure);

/// Adds faults to others, when the stream is at frame `sequence`. Returns 0, or a negative errno.
int vf_sim_script_add(vf_sim_script *script, const vf_sim_script *added, uint32_t sequence,
                      vf_failure *failure);

void vf_sim_script_free(vf_sim_script *script);

/// Whether a fault of this kind strikes this frame; `*seconds` receives what it says.
int vf_sim_strikes(vf_sim_script *script, vf_sim_fault_kind kind, uint32_t sequence,
                   double *seconds);

/// Drops faults whose last frame is behind `sequence`; `starts` when a new stream begins.
void vf_sim_age_faults(vf_sim_script *script, uint32_t sequence, int starts);

/// Damages a frame as `kinds` says, one bit for each kind.
void vf_sim_damage(vf_sim_frame *frame, uint32_t kinds, uint32_t seed, uint32_t sequence);

#pragma clang assume_nonnull end

#endif
