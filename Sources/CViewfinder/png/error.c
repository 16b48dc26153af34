#include "png/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"

void vf_png_fail(png_structp png, png_const_charp message) {
  vf_png_error *error = png_get_error_ptr(png);
  snprintf(error->message, sizeof error->message, "%s", message);
  longjmp(error->escape, 1);
}

void vf_png_ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

void *vf_png_allocate(png_structp png, png_alloc_size_t size) {
  void *memory = malloc(size);
  if (!memory)
    ((vf_png_error *)png_get_mem_ptr(png))->out_of_memory = 1;
  return memory;
}

void vf_png_release(png_structp png, void *memory) {
  (void)png;
  free(memory);
}

int vf_png_error_report(const vf_png_error *error, const char *step, vf_failure *failure) {
  return vf_fail(failure, error->out_of_memory ? ENOMEM : EBADMSG, step, "%s", error->message);
}
