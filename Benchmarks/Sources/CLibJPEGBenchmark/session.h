#ifndef LIBJPEG_SESSION_H
#define LIBJPEG_SESSION_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

/// Where libjpeg's errors lead.
typedef struct escape {
  struct jpeg_error_mgr manager;
  jmp_buf target;
} escape;

/// Makes errors return to `target`, which the caller sets, without words.
struct jpeg_error_mgr *escape_init(escape *escape);

#endif
