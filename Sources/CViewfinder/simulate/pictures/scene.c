#include "simulate/pictures/scene.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The scene lives in units of the frame's height, with the origin in the middle of the frame.

typedef struct color {
  float red, green, blue;
} color;

typedef struct matrix {
  double m[3][3];
} matrix;

static const float card_width = (float)VF_CARD_WIDTH_MM, card_height = (float)VF_CARD_HEIGHT_MM;

// The homography from millimetres on the card (origin in its middle) to the scene: the card lies
// turned and slightly tilted before a pinhole camera.
static matrix card_to_scene(void) {
  const double roll = -0.11, tilt = 0.20, pan = -0.10, distance = 2.4, scale = 0.94 / 85.6;
  const double x = 0.012, y = 0.018;
  double cr = cos(roll), sr = sin(roll), ct = cos(tilt), st = sin(tilt), cp = cos(pan),
         sp = sin(pan);
  // Roll in the plane, then tilt about the horizontal and pan about the vertical axis.
  double ax = cr * cp + sr * st * sp, ay = sr * ct, az = -cr * sp + sr * st * cp;
  double bx = -sr * cp + cr * st * sp, by = cr * ct, bz = sr * sp + cr * st * cp;
  matrix h;
  double a[3] = {ax * scale, ay * scale, az * scale}, b[3] = {bx * scale, by * scale, bz * scale};
  h.m[2][0] = a[2];
  h.m[2][1] = b[2];
  h.m[2][2] = distance;
  h.m[0][0] = distance * a[0] + x * a[2];
  h.m[0][1] = distance * b[0] + x * b[2];
  h.m[0][2] = x * distance;
  h.m[1][0] = distance * a[1] + y * a[2];
  h.m[1][1] = distance * b[1] + y * b[2];
  h.m[1][2] = y * distance;
  return h;
}

static matrix inverse(const matrix *h) {
  matrix r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      r.m[i][j] = h->m[a][c] * h->m[b][d] - h->m[a][d] * h->m[b][c];
    }
  return r;
}

void vf_sim_card_corners(uint32_t width, uint32_t height, const vf_sim_view *view,
                         vf_point corners[4]) {
  matrix h = card_to_scene();
  static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; i++) {
    double x = signs[i][0] * VF_CARD_WIDTH_MM / 2, y = signs[i][1] * VF_CARD_HEIGHT_MM / 2;
    double w = h.m[2][0] * x + h.m[2][1] * y + h.m[2][2];
    double u = (h.m[0][0] * x + h.m[0][1] * y + h.m[0][2]) / w * view->zoom;
    double v = (h.m[1][0] * x + h.m[1][1] * y + h.m[1][2]) / w * view->zoom;
    // A mirrored card is still named clockwise from the top left as one sees it.
    int index = (view->hflip ? i ^ 1 : i);
    if (view->vflip)
      index = 3 - index;
    corners[index].x = width / 2.0 + (view->hflip ? -u : u) * height;
    corners[index].y = height / 2.0 + (view->vflip ? -v : v) * height;
  }
}

static color mix(color a, color b, float t) {
  return (color){a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t,
                 a.blue + (b.blue - a.blue) * t};
}

static float unit(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

static float smooth(float low, float high, float value) {
  float t = unit((value - low) / (high - low));
  return t * t * (3 - 2 * t);
}

// The signed distance to a rounded rectangle around (x, y): negative inside.
static float rounded(float x, float y, float half_width, float half_height, float radius) {
  float across = fabsf(x) - half_width + radius, down = fabsf(y) - half_height + radius;
  if (across > 0 && down > 0)
    return sqrtf(across * across + down * down) - radius;
  return (across > down ? across : down) - radius;
}

// Five columns by seven rows, one byte a row.
typedef struct glyph {
  char letter;
  uint8_t rows[7];
} glyph;

static const glyph font[] = {
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'C', {14, 17, 16, 16, 16, 17, 14}},
    {'D', {30, 17, 17, 17, 17, 17, 30}}, {'E', {31, 16, 16, 30, 16, 16, 31}},
    {'F', {31, 16, 16, 30, 16, 16, 16}}, {'I', {14, 4, 4, 4, 4, 4, 14}},
    {'L', {16, 16, 16, 16, 16, 16, 31}}, {'N', {17, 25, 21, 21, 19, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'T', {31, 4, 4, 4, 4, 4, 4}},       {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 27, 17}}, {'Y', {17, 17, 10, 4, 4, 4, 4}},
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {14, 17, 1, 6, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {14, 16, 16, 30, 17, 17, 14}}, {'7', {31, 1, 2, 4, 4, 4, 4}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 1, 14}},
};

static int is_inked(const char *text, float x, float y, float cell) {
  if (x < 0 || y < 0)
    return 0;
  uint32_t column = (uint32_t)(x / cell), row = (uint32_t)(y / cell);
  uint32_t place = column / 6;
  column %= 6;
  if (row >= 7 || column >= 5 || place >= strlen(text))
    return 0;
  for (size_t i = 0; i < sizeof font / sizeof *font; i++)
    if (font[i].letter == text[place])
      return font[i].rows[row] >> (4 - column) & 1;
  return 0;
}

// How much of a pixel (`pixel` millimetres wide) a text covers, from nine samples.
static float text_coverage(const char *text, float x, float y, float cell, float pixel) {
  if (y < -pixel || y > 7 * cell + pixel || x < -pixel)
    return 0;
  int inked = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      inked += is_inked(text, x + (float)i * pixel / 3, y + (float)j * pixel / 3, cell);
  return (float)inked / 9;
}

#define EAN_MODULES 95
// A number from the range that shops use for themselves; the thirteenth digit is computed.
static const char card_number[] = "2914035827641";

// The card's face has what is drawn on it, prepared once for a picture.
typedef struct face {
  uint8_t modules[EAN_MODULES];
  char number[14];
  float pixel;
} face;

static void make_face(face *face, float pixel) {
  // EAN-13: seven modules a digit; the first digit chooses which of the left ones are mirrored.
  static const uint8_t left[10] = {13, 25, 19, 61, 35, 49, 47, 59, 55, 11};
  static const uint8_t parity[10] = {0, 11, 13, 14, 19, 25, 28, 21, 22, 26};
  face->pixel = pixel;
  memcpy(face->number, card_number, sizeof face->number);
  int sum = 0;
  for (int i = 0; i < 12; i++)
    sum += (card_number[i] - '0') * (i % 2 ? 3 : 1);
  face->number[12] = (char)('0' + (10 - sum % 10) % 10);
  uint8_t *at = face->modules;
  memset(at, 0, EAN_MODULES);
  at[0] = at[2] = at[46] = at[48] = at[92] = at[94] = 1;
  for (int digit = 1; digit <= 12; digit++) {
    uint8_t code = left[face->number[digit] - '0'];
    int mirrors = digit <= 6 && parity[face->number[0] - '0'] >> (6 - digit) & 1;
    int start = digit <= 6 ? 3 + (digit - 1) * 7 : 50 + (digit - 7) * 7;
    for (int bit = 0; bit < 7; bit++) {
      int on = code >> (6 - bit) & 1;
      if (digit > 6)
        on = !on;
      // A mirrored digit is the right-hand one read backwards.
      if (mirrors)
        on = !(code >> bit & 1);
      at[start + bit] = (uint8_t)on;
    }
  }
}

static float bar_coverage(const face *face, float x, float module) {
  float covered = 0;
  for (int i = -2; i <= 2; i++) {
    float at = (x + (float)i * face->pixel / 5) / module;
    if (at >= 0 && at < EAN_MODULES)
      covered += face->modules[(int)at];
  }
  return covered / 5;
}

static float disc(float x, float y, float radius, float pixel) {
  return unit(0.5f - (sqrtf(x * x + y * y) - radius) / pixel);
}

// A viewfinder: four corner brackets around a lens.
static float logo_coverage(float x, float y, float pixel) {
  float ring = disc(x, y, 2.9f, pixel) - disc(x, y, 1.9f, pixel) + disc(x, y, 0.9f, pixel);
  float frame = unit(0.5f - rounded(x, y, 5, 5, 1.3f) / pixel) -
                unit(0.5f - rounded(x, y, 4, 4, 0.6f) / pixel);
  float gap = fminf(fabsf(x), fabsf(y));
  return fmaxf(ring, frame * unit(0.5f + (gap - 2.2f) / pixel));
}

// The colour at a point of the card, in millimetres from its top left corner.
static color face_color(const face *face, float x, float y) {
  const color white = {250, 250, 248};
  float pixel = face->pixel;
  float across = x / card_width, down = y / card_height;
  color result =
      mix((color){8, 104, 128}, (color){88, 38, 138}, unit(0.75f * across + 0.35f * down));
  // Two large pale discs and a sheen.
  result = mix(result, white, 0.10f * disc(x - 74, y - 8, 24, pixel));
  result = mix(result, white, 0.08f * disc(x - 60, y - 2, 13, pixel));
  float sheen = x - 34 + 0.8f * (y - 27);
  result = mix(result, white, 0.10f * expf(-sheen * sheen / 120));

  if (x < 17 && y < 18)
    result = mix(result, white, logo_coverage(x - 10, y - 11, pixel));
  if (x > 17 && y < 23) {
    result = mix(result, white, text_coverage("VIEWFINDER", x - 18.5f, y - 6.2f, 1.0f, pixel));
    result = mix(result, (color){255, 205, 84},
                 text_coverage("LOYALTY CARD", x - 18.5f, y - 15.6f, 0.5f, pixel));
  }
  if (y > 25) {
    float panel = unit(0.5f - rounded(x - card_width / 2, y - 37.2f, 35, 11.6f, 1.8f) / pixel);
    result = mix(result, white, panel);
    const color ink = {22, 22, 30};
    if (y > 27 - pixel && y < 43 + pixel) {
      float inside = unit(0.5f + (y - 27.6f) / pixel) * unit(0.5f - (y - 42.4f) / pixel);
      result = mix(result, ink, inside * bar_coverage(face, x - 14.3f, 0.6f));
    }
    if (y > 43)
      result = mix(result, ink, text_coverage(face->number, x - 22.5f, y - 44, 0.53f, pixel));
  }
  return result;
}

// Wood, made of noise that is stretched along the grain: each row of pixels crosses the lattice at
// one height, so that a pixel costs one interpolation.
#define LATTICE 128
typedef struct grain {
  float across, values[LATTICE + 1];
} grain;

static float lattice(int32_t x, int32_t y, uint32_t layer) {
  uint32_t hash = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + layer * 2246822519u;
  hash = (hash ^ hash >> 13) * 1274126177u;
  return (float)(hash >> 8 & 0xFFFF) / 65535;
}

static void cross_grain(grain *grain, float v, float across, float down, uint32_t layer) {
  grain->across = across;
  float at = (v + 8) * down, base = floorf(at);
  float t = smooth(0, 1, at - base);
  for (int32_t i = 0; i <= LATTICE; i++) {
    float above = lattice(i, (int32_t)base, layer), below = lattice(i, (int32_t)base + 1, layer);
    grain->values[i] = above + (below - above) * t;
  }
}

static float grain_at(const grain *grain, float u) {
  float at = (u + 2) * grain->across;
  at = at < 0 ? 0 : at > LATTICE - 1 ? LATTICE - 1 : at;
  int index = (int)at;
  float t = at - (float)index;
  return grain->values[index] + (grain->values[index + 1] - grain->values[index]) * t;
}

typedef struct wood {
  grain large, rings, fibres, pores;
  float v;
} wood;

static void cross_wood(wood *wood, float v) {
  wood->v = v;
  cross_grain(&wood->large, v, 1.3f, 2.2f, 1);
  cross_grain(&wood->rings, v, 2.5f, 26, 2);
  cross_grain(&wood->fibres, v, 9, 150, 3);
  cross_grain(&wood->pores, v, 28, 420, 4);
}

static color wood_color(const wood *wood, float u) {
  float large = grain_at(&wood->large, u);
  // A triangle wave stands in for the year rings' cuts.
  float phase = (wood->v + 4) * 6 + large * 4.5f;
  phase -= floorf(phase);
  float ring = fabsf(2 * phase - 1);
  float tone = 0.42f * ring * ring + 0.22f * grain_at(&wood->rings, u) +
               0.24f * grain_at(&wood->fibres, u) + 0.12f * large;
  color result = mix((color){206, 170, 124}, (color){142, 99, 62}, tone);
  float pore = grain_at(&wood->pores, u);
  return pore > 0.78f ? mix(result, (color){96, 62, 36}, (pore - 0.78f) * 2.2f) : result;
}

static uint8_t byte(float value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

static void store(const vf_sim_canvas *canvas, uint32_t x, uint32_t row, color left, color right) {
  size_t at = (size_t)row * canvas->stride + x;
  canvas->luma[at] = byte(0.299f * left.red + 0.587f * left.green + 0.114f * left.blue);
  canvas->luma[at + 1] = byte(0.299f * right.red + 0.587f * right.green + 0.114f * right.blue);
  color both = mix(left, right, 0.5f);
  canvas->chroma[at] = byte(128 - 0.168736f * both.red - 0.331264f * both.green + 0.5f * both.blue);
  canvas->chroma[at + 1] =
      byte(128 + 0.5f * both.red - 0.418688f * both.green - 0.081312f * both.blue);
}

// The scene's coordinates of the canvas's pixels.
static float scene_u(const vf_sim_canvas *canvas, const vf_sim_view *view, uint32_t x) {
  double u = ((double)x + 0.5 - canvas->margin - canvas->width / 2.0) / canvas->height;
  return (float)((view->hflip ? -u : u) / view->zoom);
}

static float scene_v(const vf_sim_canvas *canvas, const vf_sim_view *view, uint32_t y) {
  double v = ((double)y + 0.5 - canvas->margin - canvas->height / 2.0) / canvas->height;
  return (float)((view->vflip ? -v : v) / view->zoom);
}

typedef struct painting {
  face face;
  wood wood;
  matrix to_card;
  float left, right, top, bottom;
} painting;

static color scene_color(const painting *painting, float u, float v) {
  const matrix *h = &painting->to_card;
  color result;
  int near = u > painting->left && u < painting->right && v > painting->top && v < painting->bottom;
  if (!near) {
    result = wood_color(&painting->wood, u);
  } else {
    double w = h->m[2][0] * (double)u + h->m[2][1] * (double)v + h->m[2][2];
    float x = (float)((h->m[0][0] * (double)u + h->m[0][1] * (double)v + h->m[0][2]) / w);
    float y = (float)((h->m[1][0] * (double)u + h->m[1][1] * (double)v + h->m[1][2]) / w);
    const float radius = (float)VF_CARD_CORNER_RADIUS_MM;
    float distance = rounded(x, y, card_width / 2, card_height / 2, radius);
    float covered = unit(0.5f - distance / painting->face.pixel);
    if (covered < 1) {
      result = wood_color(&painting->wood, u);
      float shade = rounded(x - 1.1f, y - 1.9f, card_width / 2, card_height / 2, radius);
      float dark = 0.50f * (1 - smooth(-2.5f, 5, shade));
      result = mix(result, (color){22, 14, 12}, dark);
    }
    if (covered > 0) {
      color on = face_color(&painting->face, x + card_width / 2, y + card_height / 2);
      result = covered < 1 ? mix(result, on, covered) : on;
    }
  }
  // The lamp hangs to the upper left.
  float du = u + 0.28f, dv = v + 0.30f;
  float light = 1.08f - 0.26f * (du * du + dv * dv);
  return (color){result.red * light, result.green * light, result.blue * light};
}

int vf_sim_draw_card(const vf_sim_canvas *canvas, const vf_sim_view *view) {
  painting *painting = malloc(sizeof *painting);
  if (!painting)
    return ENOMEM;
  matrix h = card_to_scene();
  painting->to_card = inverse(&h);
  // A square of one unit, without margin around the middle, tells where the card and its shadow
  // lie.
  vf_point corners[4];
  vf_sim_view plain = {.zoom = 1};
  vf_sim_card_corners(10000, 10000, &plain, corners);
  painting->left = painting->top = 9;
  painting->right = painting->bottom = -9;
  for (int i = 0; i < 4; i++) {
    float u = (float)(corners[i].x / 10000 - 0.5), v = (float)(corners[i].y / 10000 - 0.5);
    painting->left = fminf(painting->left, u - 0.03f);
    painting->top = fminf(painting->top, v - 0.03f);
    painting->right = fmaxf(painting->right, u + 0.09f);
    painting->bottom = fmaxf(painting->bottom, v + 0.10f);
  }
  make_face(&painting->face, (float)(85.6 / 0.94 / (canvas->height * view->zoom)));
  for (uint32_t y = 0; y < canvas->rows; y++) {
    float v = scene_v(canvas, view, y);
    cross_wood(&painting->wood, v);
    for (uint32_t x = 0; x + 1 < canvas->stride; x += 2)
      store(canvas, x, y, scene_color(painting, scene_u(canvas, view, x), v),
            scene_color(painting, scene_u(canvas, view, x + 1), v));
  }
  free(painting);
  return 0;
}

static color bar_color(float x, float y) {
  // 75 % bars by bits green, red, blue; then their blue halves in reverse; then the levels.
  int bar = (int)(x * 7);
  bar = bar < 0 ? 0 : bar > 6 ? 6 : bar;
  int bits = 7 - bar;
  if (y >= 0.67f && y < 0.75f)
    bits = bar % 2 ? 0 : (bar + 1) & 7 ? (bar == 6 ? 7 : bar + 1) : 7;
  if (y >= 0.75f) {
    if (x < 1.0f / 6)
      return (color){0, 33, 76};
    if (x < 2.0f / 6)
      return (color){255, 255, 255};
    if (x < 3.0f / 6)
      return (color){50, 0, 106};
    return (color){19, 19, 19};
  }
  return (color){bits & 2 ? 191.0f : 0, bits & 4 ? 191.0f : 0, bits & 1 ? 191.0f : 0};
}

void vf_sim_draw_bars(const vf_sim_canvas *canvas, const vf_sim_view *view) {
  float ratio = (float)canvas->width / (float)canvas->height;
  for (uint32_t y = 0; y < canvas->rows; y++)
    for (uint32_t x = 0; x + 1 < canvas->stride; x += 2) {
      float v = scene_v(canvas, view, y) + 0.5f;
      float left = scene_u(canvas, view, x) / ratio + 0.5f;
      float right = scene_u(canvas, view, x + 1) / ratio + 0.5f;
      store(canvas, x, y, bar_color(left, v), bar_color(right, v));
    }
}
