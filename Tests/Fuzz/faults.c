#include "fuzz.h"

// The script of a simulated camera's faults: read, and then played.

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *script = malloc(size + 1);
  REQUIRE(script);
  memcpy(script, data, size);
  script[size] = 0;

  vf_failure failure;
  vf_simulator_options options = {.scene = "grey", .full_speed = 1, .faults = script};
  vf_simulator *simulator = vf_simulator_create(&options, &failure);
  if (!simulator) {
    require_failure(-failure.code, &failure);
    free(script);
    return 0;
  }
  vf_grabber *grabber =
      vf_grabber_open(vf_simulator_system(simulator), VF_SIMULATOR_PATH, &failure);
  REQUIRE(grabber);
  for (int stream = 0; stream < 2; stream++) {
    vf_format format = {.fourcc = VF_YUYV, .width = 160, .height = 120};
    int code = vf_grabber_start(grabber, &format, NULL, &failure);
    for (int i = 0; code == 0 && i < 6; i++) {
      vf_frame *frame;
      code = vf_grabber_next(grabber, 0, &frame, &failure);
      if (code < 0)
        require_failure(code, &failure);
      else
        vf_frame_release(frame);
      code = code < 0 ? code : 0;
    }
    // The same faults again, from here on.
    code = vf_simulator_inject(simulator, script, &failure);
    if (code < 0)
      require_failure(code, &failure);
    vf_grabber_stop(grabber);
  }
  vf_grabber_close(grabber);
  uint32_t mapped, opened;
  vf_simulator_leaks(simulator, &mapped, &opened);
  REQUIRE(!mapped && !opened);
  vf_simulator_destroy(simulator);
  free(script);
  return 0;
}
