#ifndef VF_SIM_FORMATS_H
#define VF_SIM_FORMATS_H

#include <linux/videodev2.h>

#include "simulate/pictures/source.h"

#pragma clang assume_nonnull begin

/// The formats that the device offers, and the one that is set.
typedef struct vf_sim_formats {
  /// The one size and rate that there is; NULL: all that the tables have.
  const vf_sim_source_info *_Nullable fixed;
  vf_sim_format current;
  /// Index + 1 into the sizes when a source change has left just one; else 0.
  uint32_t only_size;
} vf_sim_formats;

void vf_sim_formats_reset(vf_sim_formats *formats);

/// The source's size becomes another one.
void vf_sim_formats_change_source(vf_sim_formats *formats);

/// How long a frame takes, in nanoseconds.
int64_t vf_sim_formats_interval(const vf_sim_formats *formats);

/// Answers VIDIOC_ENUM_FMT, VIDIOC_ENUM_FRAMESIZES and VIDIOC_ENUM_FRAMEINTERVALS.
int vf_sim_formats_list(const vf_sim_formats *formats, unsigned long request, void *argument);

/// Answers VIDIOC_G_FMT.
int vf_sim_formats_get(const vf_sim_formats *formats, struct v4l2_format *argument);

/// Answers VIDIOC_S_FMT, and VIDIOC_TRY_FMT where it doesn't apply. `EBUSY` when `busy` forbids.
int vf_sim_formats_set(vf_sim_formats *formats, struct v4l2_format *argument, int applies,
                       int busy);

/// Answers VIDIOC_S_PARM, and VIDIOC_G_PARM where it doesn't apply. `EBUSY` when `busy` forbids.
int vf_sim_formats_rate(vf_sim_formats *formats, struct v4l2_streamparm *argument, int applies,
                        int busy);

#pragma clang assume_nonnull end

#endif
