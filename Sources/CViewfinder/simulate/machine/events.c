#include "simulate/machine/events.h"

void vf_sim_events_add(vf_sim_events *events, const struct v4l2_event *event, int64_t now) {
  if (events->count == VF_SIM_EVENTS) {
    events->first = (events->first + 1) % VF_SIM_EVENTS;
    events->count--;
  }
  struct v4l2_event *slot = &events->waiting[(events->first + events->count++) % VF_SIM_EVENTS];
  *slot = *event;
  slot->sequence = events->sequence++;
  slot->timestamp.tv_sec = now / 1000000000;
  slot->timestamp.tv_nsec = now % 1000000000;
}

int vf_sim_events_take(vf_sim_events *events, struct v4l2_event *result) {
  if (!events->count)
    return 0;
  *result = events->waiting[events->first];
  events->first = (events->first + 1) % VF_SIM_EVENTS;
  result->pending = --events->count;
  return 1;
}

void vf_sim_events_forget(vf_sim_events *events, uint32_t type, uint32_t id) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < events->count; i++) {
    struct v4l2_event event = events->waiting[(events->first + i) % VF_SIM_EVENTS];
    if (type == V4L2_EVENT_ALL || (event.type == type && event.id == id))
      continue;
    events->waiting[(events->first + kept++) % VF_SIM_EVENTS] = event;
  }
  events->count = kept;
}
