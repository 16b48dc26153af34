#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int vf_fail(vf_failure *failure, int code, const char *step, const char *detail, ...) {
  *failure = (vf_failure){.code = code, .step = step};
  if (detail) {
    va_list arguments;
    va_start(arguments, detail);
    vsnprintf(failure->detail, sizeof failure->detail, detail, arguments);
    va_end(arguments);
  }
  return -code;
}

void vf_buffer_free(vf_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (vf_buffer){0};
}
