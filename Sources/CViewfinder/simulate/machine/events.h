#ifndef VF_SIM_EVENTS_H
#define VF_SIM_EVENTS_H

#include <linux/videodev2.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define VF_SIM_EVENTS 32u

/// What an open file subscribed to, and the events that wait for it.
typedef struct vf_sim_events {
  /// Source changes, and one bit for each control.
  uint8_t source_changes;
  uint32_t controls, feedback;
  struct v4l2_event waiting[VF_SIM_EVENTS];
  uint32_t first, count, sequence;
} vf_sim_events;

/// Adds an event; when there are too many, the oldest makes room, as the kernel does it.
void vf_sim_events_add(vf_sim_events *events, const struct v4l2_event *event, int64_t now);

/// Takes the oldest event. 0 when there is none.
int vf_sim_events_take(vf_sim_events *events, struct v4l2_event *result);

/// Forgets the events of a type and id that wait; `V4L2_EVENT_ALL` stands for all.
void vf_sim_events_forget(vf_sim_events *events, uint32_t type, uint32_t id);

#pragma clang assume_nonnull end

#endif
