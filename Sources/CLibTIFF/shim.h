#include <stdarg.h>
#include <stdio.h>
#include <tiffio.h>

// What Swift can't call: functions with `...`.

/// What libtiff said first of what went wrong.
typedef struct vf_tiff_words {
  char text[128];
} vf_tiff_words;

static inline int vf_tiff_note(TIFF *tiff, void *words, const char *module, const char *format,
                               va_list arguments) {
  (void)tiff, (void)module;
  char *text = ((vf_tiff_words *)words)->text;
  if (!text[0])
    vsnprintf(text, sizeof((vf_tiff_words *)words)->text, format, arguments);
  return 1;
}

static inline int vf_tiff_ignore(TIFF *tiff, void *words, const char *module, const char *format,
                                 va_list arguments) {
  (void)tiff, (void)words, (void)module, (void)format, (void)arguments;
  return 1;
}

static inline tmsize_t vf_tiff_no_write(thandle_t client, void *bytes, tmsize_t count) {
  (void)client, (void)bytes, (void)count;
  return -1;
}

static inline int vf_tiff_no_close(thandle_t client) {
  (void)client;
  return 0;
}

/// Opens a file for reading without mapping it. No allocation is larger than `limit` bytes, and
/// nothing is printed. `words` must outlive the result.
static inline TIFF *vf_tiff_open(thandle_t client, TIFFReadWriteProc read, TIFFSeekProc seek,
                                 TIFFSizeProc size, tmsize_t limit, vf_tiff_words *words) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options)
    return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, limit);
  TIFFOpenOptionsSetErrorHandlerExtR(options, vf_tiff_note, words);
  TIFFOpenOptionsSetWarningHandlerExtR(options, vf_tiff_ignore, NULL);
  TIFF *tiff = TIFFClientOpenExt("", "rm", client, read, vf_tiff_no_write, seek, vf_tiff_no_close,
                                 size, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}

/// A tag's number, or its default, or `missing`.
static inline uint32_t vf_tiff_long(TIFF *tiff, uint32_t tag, uint32_t missing) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : missing;
}

/// The same for tags whose numbers have 16 bits.
static inline uint16_t vf_tiff_short(TIFF *tiff, uint32_t tag, uint16_t missing) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : missing;
}

/// The kind of the first sample beyond the colours', or 0 (unspecified).
static inline uint16_t vf_tiff_extra_sample(TIFF *tiff) {
  uint16_t count = 0, *kinds = NULL;
  return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) && count ? kinds[0] : 0;
}
