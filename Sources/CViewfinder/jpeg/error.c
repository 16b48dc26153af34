#include "jpeg/error.h"

#include <errno.h>
#include <string.h>

#include <jerror.h>

#include "failure.h"

#define COPY "copy it again from where it came from"
#define SAVE "save it as an ordinary JPEG with another program"
#define HEADER "its header is damaged; " COPY
#define TABLES "the tables that decode it are damaged or missing; " COPY
#define UNUSUAL "its colours are stored in an unusual way; " SAVE

/// What libjpeg's messages mean to a person: what is wrong with the file, and what to do.
static const struct meaning {
  int message, code;
  const char *words;
} meanings[] = {
    {JERR_NO_SOI, EBADMSG, "it is no JPEG, whatever its name says"},
    {JERR_INPUT_EMPTY, EBADMSG, "it is empty; " COPY},
    {JERR_INPUT_EOF, EBADMSG, "it ends too early; " COPY},
    {JERR_NO_IMAGE, EBADMSG, "it ends before the picture begins; " COPY},
    {JERR_SOF_NO_SOS, EBADMSG, "it ends before the picture begins; " COPY},
    {JERR_EMPTY_IMAGE, EBADMSG, "its header says that it has no pixels; " COPY},
    {JERR_SOF_UNSUPPORTED, ENOTSUP, "it is lossless or hierarchical; " SAVE},
    {JERR_BAD_PRECISION, ENOTSUP, "its colours don't have 8 bits, as usual; " SAVE},
    {JERR_ARITH_NOTIMPL, ENOTSUP, "it is coded arithmetically; " SAVE},
    {JERR_COMPONENT_COUNT, ENOTSUP, "it has more than four colour channels; " SAVE},
    {JERR_CONVERSION_NOTIMPL, ENOTSUP, UNUSUAL},
    {JERR_FRACT_SAMPLE_NOTIMPL, ENOTSUP, UNUSUAL},
    {JERR_CCIR601_NOTIMPL, ENOTSUP, UNUSUAL},
    {JERR_NOTIMPL, ENOTSUP, UNUSUAL},
    {JERR_NOT_COMPILED, ENOTSUP, UNUSUAL},
    {JERR_IMAGE_TOO_BIG, EFBIG, "it is larger than 65500 pixels each way; make it smaller"},
    {JERR_WIDTH_OVERFLOW, EFBIG, "it is larger than 65500 pixels each way; make it smaller"},
    {JERR_OUT_OF_MEMORY, ENOMEM, "memory is too short for it"},
    {JERR_NO_BACKING_STORE, ENOMEM, "memory is too short for it"},
    {JERR_BAD_HUFF_TABLE, EBADMSG, TABLES},
    {JERR_NO_HUFF_TABLE, EBADMSG, TABLES},
    {JERR_NO_QUANT_TABLE, EBADMSG, TABLES},
    {JERR_NO_ARITH_TABLE, EBADMSG, TABLES},
    {JERR_MISMATCHED_QUANT_TABLE, EBADMSG, TABLES},
    {JERR_DHT_INDEX, EBADMSG, TABLES},
    {JERR_DQT_INDEX, EBADMSG, TABLES},
    {JERR_DAC_INDEX, EBADMSG, TABLES},
    {JERR_DAC_VALUE, EBADMSG, TABLES},
    {JERR_BAD_LENGTH, EBADMSG, HEADER},
    {JERR_BAD_COMPONENT_ID, EBADMSG, HEADER},
    {JERR_BAD_SAMPLING, EBADMSG, HEADER},
    {JERR_BAD_MCU_SIZE, EBADMSG, HEADER},
    {JERR_BAD_PROGRESSION, EBADMSG, HEADER},
    {JERR_BAD_J_COLORSPACE, EBADMSG, HEADER},
    {JERR_SOF_DUPLICATE, EBADMSG, HEADER},
    {JERR_SOI_DUPLICATE, EBADMSG, HEADER},
    {JERR_SOS_NO_SOF, EBADMSG, HEADER},
    {JERR_EOI_EXPECTED, EBADMSG, HEADER},
    {JERR_UNKNOWN_MARKER, EBADMSG, HEADER},
};

static void error_exit(j_common_ptr codec) {
  vf_jpeg_error *error = (vf_jpeg_error *)codec->err;
  int message = error->manager.msg_code;
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (meanings[i].message == message)
      vf_jpeg_raise(codec, meanings[i].code, meanings[i].words);
  char text[JMSG_LENGTH_MAX];
  error->manager.format_message(codec, text);
  error->code = EBADMSG;
  snprintf(error->message, sizeof error->message, "it is damaged; " COPY " (libjpeg: %s)", text);
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
