#include "jpeg/error.h"

#include <errno.h>
#include <string.h>

#include <jerror.h>

#include "failure.h"

static int code_of_message(int message) {
  switch (message) {
  case JERR_OUT_OF_MEMORY:
  case JERR_NO_BACKING_STORE:
    return ENOMEM;
  case JERR_SOF_UNSUPPORTED:
  case JERR_BAD_PRECISION:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_ARITH_NOTIMPL:
  case JERR_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_CCIR601_NOTIMPL:
  case JERR_COMPONENT_COUNT:
    return ENOTSUP;
  case JERR_IMAGE_TOO_BIG:
  case JERR_WIDTH_OVERFLOW:
    return EFBIG;
  default:
    return EBADMSG;
  }
}

static void error_exit(j_common_ptr codec) {
  vf_jpeg_error *error = (vf_jpeg_error *)codec->err;
  error->code = code_of_message(error->manager.msg_code);
  error->manager.format_message(codec, error->message);
  longjmp(error->escape, 1);
}

static void output_message(j_common_ptr codec) { (void)codec; }

static void emit_message(j_common_ptr codec, int level) {
  if (level < 0)
    codec->err->num_warnings++;
}

struct jpeg_error_mgr *vf_jpeg_error_init(vf_jpeg_error *error) {
  memset(error, 0, sizeof *error);
  jpeg_std_error(&error->manager);
  error->manager.error_exit = error_exit;
  error->manager.output_message = output_message;
  error->manager.emit_message = emit_message;
  return &error->manager;
}

void vf_jpeg_raise(j_common_ptr codec, int code, const char *message) {
  vf_jpeg_error *error = (vf_jpeg_error *)codec->err;
  error->code = code;
  snprintf(error->message, sizeof error->message, "%s", message);
  longjmp(error->escape, 1);
}

int vf_jpeg_error_report(const vf_jpeg_error *error, const char *step, vf_failure *failure) {
  return vf_fail(failure, error->code, step, "%s", error->message);
}
