#include "outline/homography.h"

#include <math.h>

vf_homography vf_homography_to(const vf_point corners[4], double width, double height) {
  // Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), section 2.2.3: from the
  // unit square, in closed form.
  vf_point p0 = corners[0], p1 = corners[1], p2 = corners[2], p3 = corners[3];
  double x1 = p1.x - p2.x, x2 = p3.x - p2.x, x3 = p0.x - p1.x + p2.x - p3.x;
  double y1 = p1.y - p2.y, y2 = p3.y - p2.y, y3 = p0.y - p1.y + p2.y - p3.y;
  double determinant = x1 * y2 - x2 * y1;
  double g = (x3 * y2 - x2 * y3) / determinant;
  double h = (x1 * y3 - x3 * y1) / determinant;
  return (vf_homography){
      .a = (p1.x - p0.x + g * p1.x) / width,
      .b = (p3.x - p0.x + h * p3.x) / height,
      .c = p0.x,
      .d = (p1.y - p0.y + g * p1.y) / width,
      .e = (p3.y - p0.y + h * p3.y) / height,
      .f = p0.y,
      .g = g / width,
      .h = h / height,
  };
}

vf_homography vf_homography_subsampled(const vf_homography *map, uint32_t shift_x,
                                       uint32_t shift_y) {
  double x = 1u << shift_x, y = 1u << shift_y;
  return (vf_homography){
      .a = map->a,
      .b = map->b * y / x,
      .c = map->c / x,
      .d = map->d * x / y,
      .e = map->e,
      .f = map->f / y,
      .g = map->g * x,
      .h = map->h * y,
  };
}

vf_derivative vf_homography_derivative(const vf_homography *map, double u, double v) {
  double scale = 1 / (map->g * u + map->h * v + 1);
  double x = (map->a * u + map->b * v + map->c) * scale;
  double y = (map->d * u + map->e * v + map->f) * scale;
  return (vf_derivative){
      .u_x = (map->a - map->g * x) * scale,
      .u_y = (map->d - map->g * y) * scale,
      .v_x = (map->b - map->h * x) * scale,
      .v_y = (map->e - map->h * y) * scale,
  };
}

void vf_homography_scales(const vf_homography *map, double u, double v, double *least,
                          double *most) {
  // The singular values of the derivative.
  vf_derivative d = vf_homography_derivative(map, u, v);
  double sum = d.u_x * d.u_x + d.u_y * d.u_y + d.v_x * d.v_x + d.v_y * d.v_y;
  double determinant = d.u_x * d.v_y - d.u_y * d.v_x;
  double difference = sqrt(fmax(sum * sum - 4 * determinant * determinant, 0));
  *least = sqrt(fmax((sum - difference) / 2, 0));
  *most = sqrt((sum + difference) / 2);
}
