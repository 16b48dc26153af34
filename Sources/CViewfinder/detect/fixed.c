#include "detect/fixed.h"

#include <math.h>
#include <stddef.h>

uint32_t eye_root(uint64_t value) {
  // The processor's root is right to a 53rd bit; what rounding may have added or lost is put right,
  // so that this is the whole root everywhere.
  uint64_t root = (uint64_t)sqrt((double)value);
  if (root > UINT32_MAX)
    root = UINT32_MAX;
  if (root * root > value)
    root--;
  else if (root < UINT32_MAX && (root + 1) * (root + 1) <= value)
    root++;
  return (uint32_t)root;
}

int32_t eye_log2(uint64_t value) {
  if (value == 0)
    return 0;
  int whole = 63 - __builtin_clzll(value);
  // The mantissa's part by a parabola: log2(1 + m) ≈ m + 0.343 m (1 − m).
  uint64_t mantissa = whole >= 8 ? value >> (whole - 8) : value << (8 - whole);
  int32_t m = (int32_t)(mantissa - 256);
  return whole * 256 + m + ((m * (256 - m) * 88) >> 16);
}

eye_side eye_side_make(eye_point a, eye_point b) {
  int64_t x = b.x - a.x, y = b.y - a.y;
  int64_t length = eye_root((uint64_t)(x * x + y * y));
  if (length < 1)
    length = 1;
  return (eye_side){.a = a,
                    .b = b,
                    .dx = (int32_t)(x * EYE_UNIT / length),
                    .dy = (int32_t)(y * EYE_UNIT / length),
                    .length = (int32_t)length};
}

bool eye_meet(eye_point a, eye_point b, eye_point c, eye_point d, eye_point *at) {
  eye_point u = eye_minus(b, a), v = eye_minus(d, c);
  int64_t s = eye_cross(u, v), t = eye_cross(eye_minus(c, a), v);
  // What lies farther away than this many lengths of u isn't of interest, and might overflow.
  if (s == 0 || eye_abs64(t) / 1024 > eye_abs64(s))
    return false;
  // Both are below 2^52 for what fits a picture; make room for the product.
  while (eye_abs64(t) > (int64_t)1 << 36) {
    t /= 2;
    s /= 2;
  }
  if (s == 0)
    return false;
  int64_t x = a.x + u.x * t / s, y = a.y + u.y * t / s;
  if (eye_abs64(x) > 1 << 21 || eye_abs64(y) > 1 << 21)
    return false;
  *at = (eye_point){(int32_t)x, (int32_t)y};
  return true;
}

int64_t eye_area2(const eye_quad *quad) {
  return eye_cross(eye_minus(quad->p[2], quad->p[0]), eye_minus(quad->p[3], quad->p[1]));
}

int32_t eye_size(const eye_quad *quad) {
  return (int32_t)eye_root((uint64_t)eye_abs64(eye_area2(quad)) / 2);
}

int32_t eye_corner_distance(const eye_quad *a, const eye_quad *b) {
  int32_t best = INT32_MAX;
  for (int turn = 0; turn < 4; turn++) {
    int32_t most = 0;
    for (int i = 0; i < 4; i++) {
      eye_point d = eye_minus(a->p[i], b->p[(i + turn) & 3]);
      most = eye_max(most, eye_abs(d.x) + eye_abs(d.y));
    }
    best = eye_min(best, most);
  }
  return best;
}

static bool boxes_touch(const eye_quad *a, const eye_quad *b) {
  eye_point low[2], high[2];
  const eye_quad *quads[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    low[k] = high[k] = quads[k]->p[0];
    for (int i = 1; i < 4; i++) {
      low[k].x = eye_min(low[k].x, quads[k]->p[i].x);
      low[k].y = eye_min(low[k].y, quads[k]->p[i].y);
      high[k].x = eye_max(high[k].x, quads[k]->p[i].x);
      high[k].y = eye_max(high[k].y, quads[k]->p[i].y);
    }
  }
  return low[0].x < high[1].x && low[1].x < high[0].x && low[0].y < high[1].y &&
         low[1].y < high[0].y;
}

int64_t eye_common_area2(const eye_quad *a, const eye_quad *b) {
  if (!boxes_touch(a, b))
    return 0;
  // Sutherland and Hodgman: cut `a` by each side of `b`; each cut adds at most one corner.
  eye_point polygons[2][12];
  int count = 4;
  for (int i = 0; i < 4; i++)
    polygons[0][i] = a->p[i];
  eye_point *from = polygons[0], *to = polygons[1];
  for (int e = 0; e < 4 && count > 0; e++) {
    eye_point u = b->p[e], v = eye_minus(b->p[(e + 1) & 3], u);
    int made = 0;
    for (int i = 0; i < count; i++) {
      eye_point p = from[i], q = from[i + 1 < count ? i + 1 : 0];
      int64_t inside_p = eye_cross(v, eye_minus(p, u)), inside_q = eye_cross(v, eye_minus(q, u));
      if (inside_p >= 0 && made < 12)
        to[made++] = p;
      if ((inside_p >= 0) != (inside_q >= 0) && made < 12) {
        int64_t whole = inside_p - inside_q;
        to[made++] = (eye_point){p.x + (int32_t)((q.x - p.x) * inside_p / whole),
                                 p.y + (int32_t)((q.y - p.y) * inside_p / whole)};
      }
    }
    count = made;
    eye_point *swap = from;
    from = to;
    to = swap;
  }
  int64_t area = 0;
  for (int i = 2; i < count; i++)
    area += eye_cross(eye_minus(from[i - 1], from[0]), eye_minus(from[i], from[0]));
  return area > 0 ? area : 0;
}

bool eye_fit_line(const eye_fit *fit, eye_point *middle, int32_t *dx, int32_t *dy) {
  if (fit->weight <= 0)
    return false;
  *middle = (eye_point){(int32_t)(fit->x / fit->weight), (int32_t)(fit->y / fit->weight)};
  // x / weight is taken apart so that the products stay small and exact enough.
  int64_t a = fit->xx - fit->x / fit->weight * fit->x - fit->x % fit->weight * fit->x / fit->weight;
  int64_t b = fit->xy - fit->x / fit->weight * fit->y - fit->x % fit->weight * fit->y / fit->weight;
  int64_t c = fit->yy - fit->y / fit->weight * fit->y - fit->y % fit->weight * fit->y / fit->weight;
  int64_t d = a - c;
  b *= 2;
  // Room for the squares: as often halved as it takes until both are at most 2^28.
  uint64_t most = (uint64_t)eye_max64(eye_abs64(d), eye_abs64(b));
  if (most > (uint64_t)1 << 28) {
    int halvings = 35 - __builtin_clzll(most);
    if (most >> halvings > (uint64_t)1 << 28)
      halvings++;
    d = d < 0 ? -(-d >> halvings) : d >> halvings;
    b = b < 0 ? -(-b >> halvings) : b >> halvings;
  }
  int64_t r = eye_root((uint64_t)(d * d + b * b));
  if (r == 0) {
    *dx = EYE_UNIT;
    *dy = 0;
    return true;
  }
  // Half of the angle of (d, b), without angles.
  int64_t x, y;
  if (d >= 0) {
    x = d + r;
    y = b;
  } else {
    x = eye_abs64(b);
    y = b < 0 ? d - r : r - d;
  }
  int64_t length = eye_root((uint64_t)(x * x + y * y));
  *dx = (int32_t)(x * EYE_UNIT / length);
  *dy = (int32_t)(y * EYE_UNIT / length);
  return true;
}

int32_t eye_median(int32_t *values, int32_t count) {
  int32_t wanted = count / 2, first = 0, last = count - 1;
  // Hoare's selection: parts around a value, until the wanted place is in one of equals.
  while (first < last) {
    int32_t middle = values[(first + last) / 2], i = first, j = last;
    while (i <= j) {
      while (values[i] < middle)
        i++;
      while (values[j] > middle)
        j--;
      if (i <= j) {
        int32_t swap = values[i];
        values[i++] = values[j];
        values[j--] = swap;
      }
    }
    if (wanted <= j)
      last = j;
    else if (wanted >= i)
      first = i;
    else
      break;
  }
  return values[wanted];
}

void eye_sort(int32_t *values, int32_t count) {
  for (int32_t i = 1; i < count; i++) {
    int32_t value = values[i], j = i;
    for (; j > 0 && values[j - 1] > value; j--)
      values[j] = values[j - 1];
    values[j] = value;
  }
}
