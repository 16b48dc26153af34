#include "simulate/simulator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE 65536u
#define LONGEST_ROW 8192u

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

/// The master picture, as drawn and with the controls applied, and what is made from it.
struct vf_sim_painter {
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
  picture_jpeg jpegs[VF_SIM_PHASES];
};

static void free_canvas(vf_sim_canvas *canvas) {
  free(canvas->luma);
  free(canvas->chroma);
  *canvas = (vf_sim_canvas){0};
}

static void free_jpegs(vf_sim_painter *painter) {
  for (uint32_t i = 0; i < VF_SIM_PHASES; i++)
    free(painter->jpegs[i].bytes);
  memset(painter->jpegs, 0, sizeof painter->jpegs);
}

void vf_sim_free_painter(vf_sim_painter *painter) {
  if (!painter)
    return;
  free_canvas(&painter->scene);
  free_canvas(&painter->toned);
  free_jpegs(painter);
  vf_encoder_destroy(painter->encoder);
  free(painter->scratch);
  free(painter);
}

uint32_t vf_sim_shake_limit(const vf_simulator *simulator, uint32_t height) {
  if (simulator->scene != VF_SIM_SCENE_CARD)
    return 0;
  return height / 200 / 2 * 2 + 2;
}

void vf_sim_shake(const vf_simulator *simulator, uint32_t sequence, uint32_t width, uint32_t height,
                  int32_t *x, int32_t *y) {
  (void)width;
  double limit = vf_sim_shake_limit(simulator, height);
  uint32_t phase = (sequence + simulator->seed * 5) % VF_SIM_PHASES;
  double angle = 2 * M_PI * phase / VF_SIM_PHASES;
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

static int draw(vf_simulator *simulator, vf_sim_painter *painter, const drawn *wanted) {
  uint32_t margin = vf_sim_shake_limit(simulator, wanted->height);
  painter->drawn = (drawn){0};
  free_canvas(&painter->scene);
  free_canvas(&painter->toned);
  free_jpegs(painter);
  if (make_canvas(&painter->scene, wanted->width, wanted->height, margin) ||
      make_canvas(&painter->toned, wanted->width, wanted->height, margin))
    return ENOMEM;
  const vf_sim_canvas *scene = &painter->scene;
  int code = 0;
  switch (simulator->scene) {
  case VF_SIM_SCENE_BARS:
    vf_sim_draw_bars(scene, &wanted->view);
    break;
  case VF_SIM_SCENE_GREY:
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

static void make_noise(const vf_simulator *simulator, vf_sim_painter *painter, int32_t strength) {
  painter->noise_strength = strength;
  uint32_t state = simulator->seed * 2654435769u + 12345;
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

// Brings the master picture up to the size and controls, for frame `sequence`.
static int prepare(vf_simulator *simulator, uint32_t sequence) {
  if (!simulator->painter)
    simulator->painter = calloc(1, sizeof *simulator->painter);
  vf_sim_painter *painter = simulator->painter;
  if (!painter)
    return ENOMEM;
  const int32_t *values = simulator->values;
  drawn wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.width = simulator->format.width;
  wanted.height = simulator->format.height;
  wanted.view.zoom = values[VF_SIM_ZOOM] / 100.0;
  wanted.view.hflip = values[VF_SIM_HFLIP] != 0;
  wanted.view.vflip = values[VF_SIM_VFLIP] != 0;
  if (!values[VF_SIM_FOCUS_AUTO]) {
    // The card is at a focus of 60; blur grows with the distance from there.
    uint32_t distance = (uint32_t)abs(values[VF_SIM_FOCUS] - 60);
    wanted.blur = distance * wanted.height / 6000;
  }
  int draws = memcmp(&wanted, &painter->drawn, sizeof wanted) != 0;
  if (draws) {
    int code = draw(simulator, painter, &wanted);
    if (code)
      return code;
  }
  // Automatic exposure settles within the first frames.
  uint32_t settling = 8;
  if (simulator->scene == VF_SIM_SCENE_CARD && sequence < 8 &&
      values[VF_SIM_EXPOSURE_AUTO] != V4L2_EXPOSURE_MANUAL)
    settling = sequence;
  if (!draws && painter->generation && painter->revision == simulator->revision &&
      painter->settling == settling)
    return 0;
  painter->revision = simulator->revision;
  painter->settling = settling;
  painter->generation++;
  vf_sim_tone tone;
  size_t size = (size_t)painter->scene.stride * painter->scene.rows;
  if (vf_sim_tone_make(simulator, settling, &tone)) {
    vf_sim_tone_apply(&tone, painter->toned.luma, painter->toned.chroma, painter->scene.luma,
                      painter->scene.chroma, size);
  } else {
    memcpy(painter->toned.luma, painter->scene.luma, size);
    memcpy(painter->toned.chroma, painter->scene.chroma, size);
  }
  int32_t strength = simulator->scene == VF_SIM_SCENE_CARD ? 44 + values[VF_SIM_GAIN] * 3 / 2 : 0;
  if (strength != painter->noise_strength)
    make_noise(simulator, painter, strength);
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
static void copy_frame(const vf_simulator *simulator, uint32_t fourcc, uint32_t sequence,
                       uint8_t *result) {
  const vf_sim_painter *painter = simulator->painter;
  const vf_sim_canvas *canvas = &painter->toned;
  int32_t x, y;
  vf_sim_shake(simulator, sequence, canvas->width, canvas->height, &x, &y);
  size_t start = (size_t)((int32_t)canvas->margin - y) * canvas->stride +
                 (size_t)((int32_t)canvas->margin - x);
  uint32_t state = simulator->seed ^ sequence * 2246822519u;
  for (uint32_t row = 0; row < canvas->height; row++, start += canvas->stride) {
    state = state * 1664525u + 1013904223u;
    const uint8_t *more = painter->more + (state >> 16), *less = painter->less + (state >> 16);
    const uint8_t *luma = canvas->luma + start, *chroma = canvas->chroma + start;
    uint32_t width = canvas->width;
    if (fourcc == V4L2_PIX_FMT_YUYV) {
      weave(result + (size_t)row * width * 2, luma, chroma, more, less, width);
      continue;
    }
    copy_luma(result + (size_t)row * width, luma, more, less, width);
    if (fourcc == V4L2_PIX_FMT_NV12 && row % 2 == 0)
      memcpy(result + (size_t)(canvas->height + row / 2) * width, chroma, width);
  }
}

void vf_sim_blacken(uint32_t fourcc, size_t area, uint8_t *result) {
  if (fourcc == V4L2_PIX_FMT_YUYV) {
    for (size_t i = 0; i < area; i++) {
      result[2 * i] = 0;
      result[2 * i + 1] = 128;
    }
    return;
  }
  memset(result, 0, area);
  if (fourcc == V4L2_PIX_FMT_NV12)
    memset(result + area, 128, area / 2);
}

int vf_sim_encode(vf_encoder **encoder, const vf_image *image, const uint8_t **bytes,
                  size_t *count) {
  vf_failure failure;
  if (!*encoder)
    *encoder = vf_encoder_create(&failure);
  if (!*encoder)
    return failure.code;
  const vf_encode_options options = {.quality = 88};
  return -vf_encoder_encode(*encoder, image, &options, bytes, count, &failure);
}

// Encodes the scratch frame, 4:2:2.
static int encode(vf_sim_painter *painter, const vf_sim_format *format, const uint8_t **bytes,
                  size_t *count) {
  vf_failure failure;
  vf_image image;
  int code = -vf_image_view(&image, VF_YUYV, format->width, format->height, 0, painter->scratch,
                            painter->scratch_size, &failure);
  return code ? code : vf_sim_encode(&painter->encoder, &image, bytes, count);
}

static int paint_jpeg(vf_simulator *simulator, vf_sim_buffer *buffer, int black) {
  vf_sim_painter *painter = simulator->painter;
  const vf_sim_format *format = &simulator->format;
  uint32_t phase = buffer->sequence % VF_SIM_PHASES;
  if (simulator->scene != VF_SIM_SCENE_CARD)
    phase = 0;
  picture_jpeg *kept = &painter->jpegs[phase];
  const uint8_t *bytes = kept->bytes;
  size_t count = kept->count;
  if (black || kept->generation != painter->generation) {
    size_t area = (size_t)format->width * format->height;
    if (painter->scratch_size != area * 2) {
      free(painter->scratch);
      painter->scratch_size = 0;
      painter->scratch = malloc(area * 2);
      if (!painter->scratch)
        return ENOMEM;
      painter->scratch_size = area * 2;
    }
    if (black)
      vf_sim_blacken(V4L2_PIX_FMT_YUYV, area, painter->scratch);
    else
      copy_frame(simulator, V4L2_PIX_FMT_YUYV, phase, painter->scratch);
    int code = encode(painter, format, &bytes, &count);
    if (code)
      return code;
    if (!black) {
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
  if (count > buffer->length)
    return EMSGSIZE;
  memcpy(buffer->bytes, bytes, count);
  buffer->used = (uint32_t)count;
  return 0;
}

int vf_sim_paint(vf_simulator *simulator, vf_sim_buffer *buffer) {
  if (simulator->replay)
    return vf_sim_replay_paint(simulator, buffer);
  int black = buffer->faults >> VF_SIM_FAULT_BLACK & 1;
  int still = simulator->scene != VF_SIM_SCENE_CARD && !black;
  // A still picture stays in its buffer: there is nothing to do but the stamps.
  uint64_t picture = still ? (uint64_t)simulator->revision + 1 : 0;
  if (still && buffer->picture == picture)
    return 0;
  int code = prepare(simulator, buffer->sequence);
  if (code)
    return code;
  if (simulator->format.fourcc == V4L2_PIX_FMT_MJPEG) {
    code = paint_jpeg(simulator, buffer, black);
  } else {
    buffer->used = simulator->format.size;
    size_t area = (size_t)simulator->format.width * simulator->format.height;
    if (black)
      vf_sim_blacken(simulator->format.fourcc, area, buffer->bytes);
    else
      copy_frame(simulator, simulator->format.fourcc, buffer->sequence, buffer->bytes);
  }
  buffer->picture = code ? 0 : picture;
  return code;
}
