#ifndef VF_CORE_FAILURE_H
#define VF_CORE_FAILURE_H

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// Writes `code` and `step`, with an optional printf-style detail, and returns `-code`: `return
/// vf_fail(failure, EINVAL, "crop", NULL);`
int vf_fail(vf_failure *failure, int code, const char *step, const char *_Nullable detail, ...)
    __attribute__((format(printf, 4, 5)));

#pragma clang assume_nonnull end

#endif
