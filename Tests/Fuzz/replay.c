#include "files.h"

#include <sys/mman.h>
#include <sys/stat.h>

// The files that a simulated camera replays: a stream of JPEGs, Y4M, a picture, a folder of
// pictures. The last byte says which, and in which format the camera shows them.

/// Files in memory, with names: the replay goes by the name's end.
static int whole, first, second;

static int memory_file(const char *name) {
  int file = memfd_create(name, 0);
  REQUIRE(file >= 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  REQUIRE(symlink(path, in_folder("%s", name)) == 0);
  return file;
}

static void remove_folder(void) {
  unlink(in_folder("stream.mjpeg"));
  unlink(in_folder("pictures/a.jpg"));
  unlink(in_folder("pictures/b"));
  rmdir(in_folder("pictures"));
  rmdir(folder);
}

__attribute__((constructor)) static void prepare(void) {
  make_folder();
  atexit(remove_folder);
  REQUIRE(mkdir(in_folder("pictures"), 0700) == 0);
  whole = memory_file("stream.mjpeg");
  first = memory_file("pictures/a.jpg");
  second = memory_file("pictures/b");
}

/// Shows a few frames in one of the formats that the camera offers.
static void show(vf_simulator *simulator, uint8_t choice) {
  vf_failure failure;
  vf_grabber *grabber =
      vf_grabber_open(vf_simulator_system(simulator), VF_SIMULATOR_PATH, &failure);
  REQUIRE(grabber);
  vf_mode *modes;
  int count = vf_grabber_modes(grabber, &modes, &failure);
  REQUIRE(count > 0);
  const vf_mode *mode = &modes[choice % count];
  // The file may claim any size. What isn't shown takes no memory.
  if ((uint64_t)mode->max_width * mode->max_height <= PIXEL_LIMIT) {
    vf_format format = {
        .fourcc = mode->fourcc, .width = mode->max_width, .height = mode->max_height};
    REQUIRE(vf_grabber_start(grabber, &format, NULL, &failure) == 0);
    for (int i = 0; i < 4; i++) {
      vf_frame *frame;
      int result = vf_grabber_next(grabber, 0, &frame, &failure);
      if (result < 0)
        break;
      if (!frame)
        continue;
      read_all(frame->planes[0], frame->counts[0]);
      vf_image image;
      if (format.fourcc != VF_MJPEG)
        REQUIRE(vf_image_view(&image, format.fourcc, format.width, format.height, format.stride,
                              frame->planes[0], frame->counts[0], &failure) == 0);
      vf_frame_release(frame);
    }
  }
  free(modes);
  vf_grabber_close(grabber);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input settings = {data, size};
  uint8_t choice = take8(&settings);
  const char *path;
  if (choice & 1) {
    set_contents(whole, data, size);
    path = in_folder("stream.mjpeg");
  } else {
    // Two pictures, the second of which is often the end of the first.
    size_t length = choice & 2 ? take16(&settings) : size;
    if (length > size)
      length = size;
    set_contents(first, data, length);
    set_contents(second, data + length, size - length);
    path = choice & 4 ? in_folder("pictures") : in_folder("pictures/a.jpg");
  }
  vf_failure failure;
  vf_simulator_options options = {.replay = path, .replays_once = choice >> 3 & 1, .full_speed = 1};
  vf_simulator *simulator = vf_simulator_create(&options, &failure);
  if (!simulator) {
    require_failure(-failure.code, &failure);
    return 0;
  }
  show(simulator, choice >> 4);
  uint32_t mapped, opened;
  vf_simulator_leaks(simulator, &mapped, &opened);
  REQUIRE(!mapped && !opened);
  vf_simulator_destroy(simulator);
  return 0;
}
