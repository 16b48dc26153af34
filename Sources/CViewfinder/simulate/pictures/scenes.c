#include "simulate/pictures/paint.h"
#include "simulate/pictures/scene.h"
#include "simulate/pictures/source.h"
#include "simulate/pictures/tone.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

#define NOISE 65536u
#define LONGEST_ROW 8192u
/// The hand shake's path closes after so many frames; so many JPEGs are kept.
#define PHASES 16u

typedef enum scene_kind { CARD, STEADY, BARS, GREY } scene_kind;

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t bytes32 __attribute__((vector_size(32)));

/// What the drawn picture depends on.
typedef struct drawn {
  uint32_t width, height, blur;
  vf_sim_view view;
} drawn;

typedef struct picture_jpeg {
  uint8_t *bytes;
  size_t count, capacity;
  uint64_t generation;
} picture_jpeg;

/// A scene: its master picture, as drawn and with the controls applied, and what is made from it.
typedef struct painter {
  scene_kind kind;
  uint32_t seed;
  drawn drawn;
  vf_sim_canvas scene, toned;
  /// What `toned` was made for, and how many there have been: JPEGs are kept by that number.
  uint32_t revision, settling;
  uint64_t generation;
  int32_t noise_strength;
  /// Sensor noise, split by sign because saturating bytes have none.
  uint8_t more[NOISE + LONGEST_ROW], less[NOISE + LONGEST_ROW];
  vf_encoder *encoder;
  uint8_t *scratch;
  size_t scratch_size;
  picture_jpeg jpegs[PHASES];
} painter;

static void free_canvas(vf_sim_canvas *canvas) {
  free(canvas->luma);
  free(canvas->chroma);
  *canvas = (vf_sim_canvas){0};
}

static void free_jpegs(painter *painter) {
  for (uint32_t i = 0; i < PHASES; i++)
    free(painter->jpegs[i].bytes);
  memset(painter->jpegs, 0, sizeof painter->jpegs);
}

static void close_scene(void *state) {
  painter *painter = state;
  free_canvas(&painter->scene);
  free_canvas(&painter->toned);
  free_jpegs(painter);
  vf_encoder_destroy(painter->encoder);
  free(painter->scratch);
  free(painter);
}

// How far the shake goes at most.
static uint32_t shake_limit(const painter *painter, uint32_t height) {
  if (painter->kind != CARD)
    return 0;
  return height / 200 / 2 * 2 + 2;
}

// The shake of a frame, in pixels: even, so that chroma stays in step.
static void shake(const painter *painter, uint32_t sequence, uint32_t height, int32_t *x,
                  int32_t *y) {
  double limit = shake_limit(painter, height);
  uint32_t phase = (sequence + painter->seed * 5) % PHASES;
  double angle = 2 * M_PI * phase / PHASES;
  // Even numbers: rows of chroma stay in step with those of luma.
  *x = 2 * (int32_t)lround(limit / 2 * (0.7 * sin(angle) + 0.3 * sin(3 * angle + 1)));
  *y = 2 * (int32_t)lround(limit / 2 * (0.6 * cos(2 * angle) + 0.4 * sin(angle + 2)));
}

static int make_canvas(vf_sim_canvas *canvas, uint32_t width, uint32_t height, uint32_t margin) {
  *canvas = (vf_sim_canvas){.width = width,
                            .height = height,
                            .margin = margin,
                            .stride = width + 2 * margin,
                            .rows = height + 2 * margin};
  size_t size = (size_t)canvas->stride * canvas->rows;
  canvas->luma = malloc(size);
  canvas->chroma = malloc(size);
  if (canvas->luma && canvas->chroma)
    return 0;
  free_canvas(canvas);
  return ENOMEM;
}

static int draw(painter *painter, const drawn *wanted) {
  uint32_t margin = shake_limit(painter, wanted->height);
  painter->drawn = (drawn){0};
  free_canvas(&painter->scene);
  free_canvas(&painter->toned);
  free_jpegs(painter);
  if (make_canvas(&painter->scene, wanted->width, wanted->height, margin) ||
      make_canvas(&painter->toned, wanted->width, wanted->height, margin))
    return ENOMEM;
  const vf_sim_canvas *scene = &painter->scene;
  int code = 0;
  switch (painter->kind) {
  case BARS:
    vf_sim_draw_bars(scene, &wanted->view);
    break;
  case GREY:
    memset(scene->luma, 128, (size_t)scene->stride * scene->rows);
    memset(scene->chroma, 128, (size_t)scene->stride * scene->rows);
    break;
  default:
    code = vf_sim_draw_card(scene, &wanted->view);
    break;
  }
  if (!code && wanted->blur) {
    code = vf_sim_blur(scene->luma, scene->stride, scene->rows, scene->stride, 1, wanted->blur,
                       wanted->blur);
    if (!code)
      code = vf_sim_blur(scene->chroma, scene->stride, scene->rows, scene->stride, 2,
                         (wanted->blur + 1) / 2, wanted->blur);
  }
  if (!code)
    painter->drawn = *wanted;
  return code;
}

static void make_noise(painter *painter, int32_t strength) {
  painter->noise_strength = strength;
  uint32_t state = painter->seed * 2654435769u + 12345;
  for (uint32_t i = 0; i < NOISE; i++) {
    // Four bytes added up come near a bell curve, with a deviation of about 148.
    int32_t sum = -510;
    state = state * 1664525u + 1013904223u;
    uint32_t bits = state ^ state >> 15;
    for (int j = 0; j < 4; j++)
      sum += bits >> (8 * j) & 255;
    sum = sum * strength / 4096;
    painter->more[i] = (uint8_t)(sum > 0 ? sum : 0);
    painter->less[i] = (uint8_t)(sum < 0 ? -sum : 0);
  }
  memcpy(painter->more + NOISE, painter->more, LONGEST_ROW);
  memcpy(painter->less + NOISE, painter->less, LONGEST_ROW);
}

// Where a look has the camera pointed.
static vf_sim_view view_of(const vf_sim_look *look) {
  vf_sim_view view;
  memset(&view, 0, sizeof view);
  view.zoom = look->zoom / 100.0;
  view.hflip = look->hflip;
  view.vflip = look->vflip;
  return view;
}

// Brings the master picture up to the size and controls of a shot.
static int prepare(painter *painter, const vf_sim_shot *shot) {
  const vf_sim_look *look = shot->look;
  drawn wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.width = shot->format->width;
  wanted.height = shot->format->height;
  vf_sim_view view = view_of(look);
  memcpy(&wanted.view, &view, sizeof view);
  if (!look->focuses_automatically) {
    // The card is at a focus of 60; blur grows with the distance from there.
    uint32_t distance = (uint32_t)abs(look->focus - 60);
    wanted.blur = distance * wanted.height / 6000;
  }
  int draws = memcmp(&wanted, &painter->drawn, sizeof wanted) != 0;
  if (draws) {
    int code = draw(painter, &wanted);
    if (code)
      return code;
  }
  // Automatic exposure settles within the first frames.
  uint32_t settling = VF_SIM_SETTLING;
  if (painter->kind == CARD && shot->sequence < settling && !look->exposes_manually)
    settling = shot->sequence;
  if (!draws && painter->generation && painter->revision == look->revision &&
      painter->settling == settling)
    return 0;
  painter->revision = look->revision;
  painter->settling = settling;
  painter->generation++;
  vf_sim_tone tone;
  size_t size = (size_t)painter->scene.stride * painter->scene.rows;
  if (vf_sim_tone_make(look, settling, &tone)) {
    vf_sim_tone_apply(&tone, painter->toned.luma, painter->toned.chroma, painter->scene.luma,
                      painter->scene.chroma, size);
  } else {
    memcpy(painter->toned.luma, painter->scene.luma, size);
    memcpy(painter->toned.chroma, painter->scene.chroma, size);
  }
  int32_t strength = painter->kind == CARD ? 44 + look->gain * 3 / 2 : 0;
  if (strength != painter->noise_strength)
    make_noise(painter, strength);
  return 0;
}

static bytes16 noisy(const uint8_t *source, const uint8_t *more, const uint8_t *less) {
  bytes16 value, plus, minus;
  memcpy(&value, source, sizeof value);
  memcpy(&plus, more, sizeof plus);
  memcpy(&minus, less, sizeof minus);
  return __builtin_elementwise_sub_sat(__builtin_elementwise_add_sat(value, plus), minus);
}

static uint8_t noisy_byte(uint8_t source, uint8_t more, uint8_t less) {
  int value = source + more - less;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Luma with noise.
static void copy_luma(uint8_t *result, const uint8_t *luma, const uint8_t *more,
                      const uint8_t *less, uint32_t count) {
  uint32_t i = 0;
  for (; i + 16 <= count; i += 16) {
    bytes16 value = noisy(luma + i, more + i, less + i);
    memcpy(result + i, &value, sizeof value);
  }
  for (; i < count; i++)
    result[i] = noisy_byte(luma[i], more[i], less[i]);
}

// Luma with noise, and the chroma between it.
static void weave(uint8_t *result, const uint8_t *luma, const uint8_t *chroma, const uint8_t *more,
                  const uint8_t *less, uint32_t count) {
  uint32_t i = 0;
  for (; i + 16 <= count; i += 16) {
    bytes16 y = noisy(luma + i, more + i, less + i), c;
    memcpy(&c, chroma + i, sizeof c);
    bytes32 both =
        __builtin_shufflevector(y, c, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24,
                                9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    memcpy(result + 2 * (size_t)i, &both, sizeof both);
  }
  for (; i < count; i++) {
    result[2 * i] = noisy_byte(luma[i], more[i], less[i]);
    result[2 * i + 1] = chroma[i];
  }
}

// Frame `sequence` in a raw format.
static void copy_frame(const painter *painter, uint32_t fourcc, uint32_t sequence,
                       uint8_t *result) {
  const vf_sim_canvas *canvas = &painter->toned;
  int32_t x, y;
  shake(painter, sequence, canvas->height, &x, &y);
  size_t start = (size_t)((int32_t)canvas->margin - y) * canvas->stride +
                 (size_t)((int32_t)canvas->margin - x);
  uint32_t state = painter->seed ^ sequence * 2246822519u;
  for (uint32_t row = 0; row < canvas->height; row++, start += canvas->stride) {
    state = state * 1664525u + 1013904223u;
    const uint8_t *more = painter->more + (state >> 16), *less = painter->less + (state >> 16);
    const uint8_t *luma = canvas->luma + start, *chroma = canvas->chroma + start;
    uint32_t width = canvas->width;
    if (fourcc == VF_YUYV) {
      weave(result + (size_t)row * width * 2, luma, chroma, more, less, width);
      continue;
    }
    copy_luma(result + (size_t)row * width, luma, more, less, width);
    if (fourcc == VF_NV12 && row % 2 == 0)
      memcpy(result + (size_t)(canvas->height + row / 2) * width, chroma, width);
  }
}

// Encodes the scratch frame, 4:2:2.
static int encode(painter *painter, const vf_sim_format *format, const uint8_t **bytes,
                  size_t *count) {
  vf_failure failure;
  vf_image image;
  int code = -vf_image_view(&image, VF_YUYV, format->width, format->height, 0, painter->scratch,
                            painter->scratch_size, &failure);
  return code ? code : vf_sim_encode(&painter->encoder, &image, bytes, count);
}

static int paint_jpeg(painter *painter, const vf_sim_shot *shot, vf_sim_frame *frame) {
  const vf_sim_format *format = shot->format;
  uint32_t phase = painter->kind == CARD ? shot->sequence % PHASES : 0;
  picture_jpeg *kept = &painter->jpegs[phase];
  const uint8_t *bytes = kept->bytes;
  size_t count = kept->count;
  if (shot->black || kept->generation != painter->generation) {
    size_t area = (size_t)format->width * format->height;
    if (painter->scratch_size != area * 2) {
      free(painter->scratch);
      painter->scratch_size = 0;
      painter->scratch = malloc(area * 2);
      if (!painter->scratch)
        return ENOMEM;
      painter->scratch_size = area * 2;
    }
    if (shot->black)
      vf_sim_blacken(VF_YUYV, area, painter->scratch);
    else
      copy_frame(painter, VF_YUYV, phase, painter->scratch);
    int code = encode(painter, format, &bytes, &count);
    if (code)
      return code;
    if (!shot->black) {
      if (kept->capacity < count) {
        uint8_t *grown = realloc(kept->bytes, count);
        if (!grown)
          return ENOMEM;
        kept->bytes = grown;
        kept->capacity = count;
      }
      memcpy(kept->bytes, bytes, count);
      kept->count = count;
      kept->generation = painter->generation;
    }
  }
  return vf_sim_fill(frame, bytes, count);
}

static int paint_scene(void *state, const vf_sim_shot *shot, vf_sim_frame *frame) {
  painter *painter = state;
  const vf_sim_format *format = shot->format;
  int still = painter->kind != CARD && !shot->black;
  // A still picture stays in its buffer: there is nothing to do but the stamps.
  uint64_t picture = still ? (uint64_t)shot->look->revision + 1 : 0;
  if (still && frame->picture == picture)
    return 0;
  int code = prepare(painter, shot);
  if (code)
    return code;
  if (format->fourcc == VF_MJPEG) {
    code = paint_jpeg(painter, shot, frame);
  } else {
    frame->used = format->size;
    if (shot->black)
      vf_sim_blacken(format->fourcc, (size_t)format->width * format->height, frame->bytes);
    else
      copy_frame(painter, format->fourcc, shot->sequence, frame->bytes);
  }
  frame->picture = code ? 0 : picture;
  return code;
}

static int card_in_scene(const void *state, const vf_sim_look *look, uint32_t sequence,
                         uint32_t width, uint32_t height, vf_point corners[4]) {
  const painter *painter = state;
  if (painter->kind != CARD && painter->kind != STEADY)
    return ENOENT;
  vf_sim_view view = view_of(look);
  int32_t x, y;
  shake(painter, sequence, height, &x, &y);
  vf_sim_card_corners(width, height, &view, corners);
  for (int i = 0; i < 4; i++) {
    corners[i].x += x;
    corners[i].y += y;
  }
  return 0;
}

int vf_sim_open_scene(const char *name, uint32_t seed, vf_sim_source *source, vf_failure *failure) {
  static const char *const names[] = {
      [CARD] = "card", [STEADY] = "steady", [BARS] = "bars", [GREY] = "grey"};
  static const vf_sim_source_calls calls = {
      .paint = paint_scene, .card = card_in_scene, .close = close_scene};
  uint32_t kind = 0;
  while (kind < sizeof names / sizeof *names && strcmp(name, names[kind]) != 0)
    kind++;
  if (kind == sizeof names / sizeof *names)
    return vf_fail(failure, EINVAL, "scene", "\"%.80s\"", name);
  painter *painter = calloc(1, sizeof *painter);
  if (!painter)
    return vf_fail(failure, ENOMEM, "scene", NULL);
  painter->kind = (scene_kind)kind;
  painter->seed = seed;
  *source = (vf_sim_source){&calls, painter};
  return 0;
}
