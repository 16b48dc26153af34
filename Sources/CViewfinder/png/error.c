#include "png/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

#define COPY "copy it again from where it came from"
#define CUT "it ends too early; " COPY
#define DATA "its compressed data are damaged; " COPY
#define HEADER "its header is damaged; " COPY

/// What libpng's messages mean to a person: what is wrong with the file, and what to do. The first
/// that has the part counts.
static const struct meaning {
  const char *part;
  int code;
  const char *words;
} meanings[] = {
    {VF_PNG_INCOMPLETE, EBADMSG, CUT},
    {"ot enough", EBADMSG, CUT},
    {"Read Error", EBADMSG, CUT},
    {"read beyond end", EBADMSG, CUT},
    {"CRC error", EBADMSG, "a check sum in it is wrong: its bytes have changed; " COPY},
    {"Not a PNG", EBADMSG, "it is no PNG, whatever its name says"},
    {"ASCII conversion", EBADMSG,
     "a transfer as text has changed it; copy it again, in binary mode"},
    {"critical chunk", ENOTSUP, "it needs an extension of PNG; save it with another program"},
    {"nsufficient memory", ENOMEM, "memory is too short for it"},
    {"ut of memory", ENOMEM, "memory is too short for it"},
    {"exceeds", EFBIG, "a part of it claims to be larger than any photo's"},
    {"too large", EFBIG, "a part of it claims to be larger than any photo's"},
    {"incorrect data check", EBADMSG, DATA},
    {"incorrect header check", EBADMSG, DATA},
    {"invalid distance", EBADMSG, DATA},
    {"invalid code", EBADMSG, DATA},
    {"invalid block", EBADMSG, DATA},
    {"invalid stored", EBADMSG, DATA},
    {"invalid bit length", EBADMSG, DATA},
    {"invalid literal", EBADMSG, DATA},
    {"invalid window", EBADMSG, DATA},
    {"unknown compression method", EBADMSG, DATA},
    {"length or distance symbols", EBADMSG, DATA},
    {"LZ ", EBADMSG, DATA},
    {"ompress", EBADMSG, DATA},
    {"adaptive filter", EBADMSG, DATA},
    {"Missing", EBADMSG, HEADER},
    {"nvalid", EBADMSG, HEADER},
    {"nknown", EBADMSG, HEADER},
    {"out of place", EBADMSG, HEADER},
    {"duplicate", EBADMSG, HEADER},
    {"bad header", EBADMSG, HEADER},
    {"out of range", EBADMSG, HEADER},
};

void vf_png_fail(png_structp png, png_const_charp message) {
  vf_png_error *error = png_get_error_ptr(png);
  error->code = EBADMSG;
  snprintf(error->message, sizeof error->message, "it is damaged; " COPY " (libpng: %s)", message);
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (strstr(message, meanings[i].part)) {
      error->code = meanings[i].code;
      snprintf(error->message, sizeof error->message, "%s", meanings[i].words);
      break;
    }
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
  return vf_fail(failure, error->out_of_memory ? ENOMEM : error->code, step, "%s", error->message);
}
