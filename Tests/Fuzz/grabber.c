#include "driver.h"

// A program that opens a camera whose driver lies, asks for everything, streams, holds frames
// longer than the stream and the camera last, and stops. Nothing may crash, hang or leak.

#define MOST_FRAMES 48

typedef struct program {
  driver driver;
  vf_system system;
  vf_grabber *grabber;
  vf_format format;
  /// Some controls that the driver told of.
  uint32_t controls[4];
  vf_frame *frames[MOST_FRAMES];
  uint32_t frame_count;
} program;

static void check(void *context, const uint8_t *bytes, size_t count, vf_frame_facts *facts) {
  (void)context;
  vf_jpeg_info info;
  vf_failure failure;
  // Without a verdict as often as with: frames get through then.
  int code = vf_jpeg_inspect(bytes, count, &info, &failure);
  facts->count = code == 0 ? info.length : count / 2;
  // And with a tail as often as without.
  facts->tail_count = count % (VF_TAIL_LIMIT + 1);
  facts->width = info.width;
  facts->height = info.height;
}

static void require_words(const char *words, size_t count) { REQUIRE(memchr(words, 0, count)); }

static void list_modes(program *program) {
  vf_failure failure;
  vf_mode *modes;
  int count = vf_grabber_modes(program->grabber, &modes, &failure);
  if (count < 0) {
    require_failure(count, &failure);
    REQUIRE(!modes);
    return;
  }
  for (int i = 0; i < count; i++)
    require_words(modes[i].description, sizeof modes[i].description);
  vf_format wish = {0};
  uint8_t choice = driver_byte(&program->driver);
  if (choice & 1)
    wish.fourcc = driver_word(&program->driver);
  if (choice & 2) {
    wish.width = driver_word(&program->driver);
    wish.height = driver_word(&program->driver);
  }
  if (choice & 4)
    wish.interval = (vf_interval){driver_word(&program->driver), driver_word(&program->driver)};
  int code = vf_format_choose(modes, (size_t)count, &wish, &program->format, &failure);
  if (code < 0)
    require_failure(code, &failure);
  free(modes);
}

static void list_controls(program *program) {
  vf_failure failure;
  vf_control *controls;
  int count = vf_grabber_controls(program->grabber, &controls, &failure);
  if (count < 0) {
    require_failure(count, &failure);
    REQUIRE(!controls);
    return;
  }
  int menus = 0;
  for (int i = 0; i < count; i++) {
    require_words(controls[i].name, sizeof controls[i].name);
    require_words(controls[i].identifier, sizeof controls[i].identifier);
    program->controls[i % 4] = controls[i].id;
    vf_menu_item *items;
    program->driver.calls = 0;
    if ((controls[i].type != 3 && controls[i].type != 9) || menus++ > 2)
      continue;
    int item_count = vf_grabber_menu(program->grabber, &controls[i], &items, &failure);
    if (item_count < 0)
      require_failure(item_count, &failure);
    for (int item = 0; item < item_count; item++)
      require_words(items[item].name, sizeof items[item].name);
    free(items);
  }
  free(controls);
}

static void use_control(program *program) {
  uint8_t choice = driver_byte(&program->driver);
  uint32_t id = choice & 8 ? driver_word(&program->driver) : program->controls[choice % 4];
  vf_failure failure;
  int64_t value = (int32_t)driver_word(&program->driver);
  if (choice & 16)
    value = value * INT32_MAX + driver_word(&program->driver);
  int code = choice & 32 ? vf_grabber_get_control(program->grabber, id, &value, &failure)
                         : vf_grabber_set_control(program->grabber, id, &value, &failure);
  if (code < 0)
    require_failure(code, &failure);
}

static void start(program *program) {
  uint8_t choice = driver_byte(&program->driver);
  vf_stream_options options = {.buffer_count = driver_byte(&program->driver) % 34,
                               .reserve = driver_byte(&program->driver) % 40,
                               .keeps_late_frames = choice & 1,
                               .delivers_damaged_frames = choice >> 1 & 1,
                               .check = choice & 4 ? check : NULL};
  vf_failure failure;
  vf_format wish = program->format;
  int code = vf_grabber_start(program->grabber, &wish, choice & 8 ? &options : NULL, &failure);
  if (code < 0)
    require_failure(code, &failure);
  else
    program->format = wish;
}

static void look_at(const program *program, const vf_frame *frame) {
  REQUIRE(frame->plane_count >= 1 && frame->plane_count <= 3);
  REQUIRE(frame->timestamp > 0);
  for (uint32_t i = 0; i < frame->plane_count; i++)
    read_all(frame->planes[i], frame->counts[i]);
  // What the driver said of the format holds for the frame, or is found out.
  const vf_format *format = &program->format;
  vf_image view, planar;
  vf_failure failure;
  int code = vf_image_view(&view, format->fourcc, format->width, format->height, format->stride,
                           frame->planes[0], frame->counts[0], &failure);
  if (code < 0) {
    require_failure(code, &failure);
    return;
  }
  require_image(&view);
  if ((uint64_t)view.width * view.height <= PIXEL_LIMIT &&
      vf_image_to_planar(&planar, &view, &failure) == 0)
    vf_image_free(&planar);
}

static void next(program *program) {
  static const int timeouts[] = {0, 0, 1, -1};
  vf_failure failure;
  vf_frame *frame;
  uint8_t choice = driver_byte(&program->driver);
  int code = vf_grabber_next(program->grabber, timeouts[choice % 4], &frame, &failure);
  if (code < 0)
    require_failure(code, &failure);
  REQUIRE((code == 1) == (frame != NULL));
  if (!frame)
    return;
  look_at(program, frame);
  if (program->frame_count == MOST_FRAMES || choice & 4)
    vf_frame_release(frame);
  else
    program->frames[program->frame_count++] = frame;
}

static void follow_source(program *program) {
  vf_failure failure;
  int code = vf_grabber_follow_source(program->grabber, &failure);
  REQUIRE(code <= 1);
  if (code < 0)
    require_failure(code, &failure);
}

static void release(program *program, uint8_t which) {
  if (!program->frame_count)
    return;
  vf_frame **frame = &program->frames[which % program->frame_count];
  vf_frame_release(*frame);
  *frame = program->frames[--program->frame_count];
}

static void export(program *program) {
  if (!program->frame_count)
    return;
  vf_failure failure;
  int fd = vf_frame_export(program->frames[program->frame_count - 1],
                           driver_byte(&program->driver) % 4, &failure);
  if (fd < 0)
    require_failure(fd, &failure);
}

static void act(program *program) {
  uint8_t action = driver_byte(&program->driver);
  switch (action % 13) {
  case 0:
    list_modes(program);
    break;
  case 1:
    list_controls(program);
    break;
  case 2:
    use_control(program);
    break;
  case 3:
  case 4:
    start(program);
    break;
  case 5:
    vf_grabber_stop(program->grabber);
    break;
  case 6:
    release(program, action / 13);
    break;
  case 7:
    export(program);
    break;
  case 8:
    vf_grabber_interrupt(program->grabber);
    break;
  case 9: {
    vf_statistics statistics = vf_grabber_statistics(program->grabber);
    REQUIRE(statistics.lent <= program->frame_count && statistics.buffer_count <= 32);
    break;
  }
  case 10:
    follow_source(program);
    break;
  default:
    next(program);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  program program = {0};
  driver_begin(&program.driver, data, size);
  program.system = driver_system(&program.driver);
  int actions = driver_byte(&program.driver) % 32;
  vf_failure failure;
  program.grabber = vf_grabber_open(&program.system, "fuzz", &failure);
  program.driver.grabber = program.grabber;
  if (!program.grabber)
    require_failure(-failure.code, &failure);
  for (int i = 0; program.grabber && i < actions; i++) {
    program.driver.calls = program.driver.polls = 0;
    act(&program);
  }
  program.driver.calls = 0;
  uint8_t holds = driver_byte(&program.driver) & 1;
  while (!holds && program.frame_count)
    release(&program, 0);
  vf_grabber_close(program.grabber);
  while (program.frame_count) {
    vf_frame *frame = program.frames[--program.frame_count];
    read_all(frame->planes[0], frame->counts[0]);
    vf_frame_release(frame);
  }
  driver_end(&program.driver);
  return 0;
}
