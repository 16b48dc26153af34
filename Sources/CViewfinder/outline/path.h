#ifndef VF_CORE_PATH_H
#define VF_CORE_PATH_H

#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// Coordinates past this are refused: far outside of any picture, and safe to compute with.
#define VF_COORDINATE_LIMIT 1e6

/// An outline as a closed polygon, filled by the even-odd rule.
typedef struct vf_path {
  vf_point *_Nullable points;
  size_t count;
} vf_path;

/// Checks an outline, and flattens its curves to within 1/1000 of a pixel. The caller releases the
/// path with `vf_path_free`.
int vf_path_create(vf_path *path, const vf_outline *outline, vf_failure *failure);

/// Frees the points. Accepts a zeroed path.
void vf_path_free(vf_path *path);

#pragma clang assume_nonnull end

#endif
