#include "simulate/simulator.h"

#include <errno.h>

#include "failure.h"

vf_sim_replay *vf_sim_replay_open(const char *path, double rate, int once, vf_failure *failure) {
  (void)path;
  (void)rate;
  (void)once;
  vf_fail(failure, ENOTSUP, "replay", NULL);
  return NULL;
}
void vf_sim_replay_close(vf_sim_replay *replay) { (void)replay; }
vf_sim_replay_info vf_sim_replay_about(const vf_sim_replay *replay) {
  (void)replay;
  return (vf_sim_replay_info){0};
}
int vf_sim_replay_ended(const vf_sim_replay *replay, uint32_t sequence) {
  (void)replay;
  (void)sequence;
  return 0;
}
int vf_sim_replay_paint(vf_simulator *simulator, vf_sim_buffer *buffer) {
  (void)simulator;
  (void)buffer;
  return ENOTSUP;
}
