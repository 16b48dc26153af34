#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exif/tags.h"
#include "exif/values.h"
#include "failure.h"
#include "vf_exif.h"

enum {
  /// What an APP1 segment holds.
  MAXIMUM_PAYLOAD = 65533,
  /// Bytes of Exif's mark, which comes first in it.
  MARK = 6,
};

static int has_text(const char *_Nullable text) { return text && *text; }

/// Puts a text where there is one.
static void put_text(vf_tiff_editor *editor, int directory, uint16_t tag,
                     const char *_Nullable text) {
  if (has_text(text))
    vf_exif_put_text(editor, directory, tag, text);
}

static int has_tag(const vf_tiff_editor *editor, int directory, uint16_t tag) {
  return vf_tiff_find(editor, directory, tag) != NULL;
}

static void put_resolution(vf_tiff_editor *editor, int directory, uint32_t dots_per_inch) {
  enum { INCH = 2 };
  const uint32_t fraction[] = {dots_per_inch, 1};
  vf_exif_put_fractions(editor, directory, VF_TAG_X_RESOLUTION, fraction, 1);
  vf_exif_put_fractions(editor, directory, VF_TAG_Y_RESOLUTION, fraction, 1);
  vf_exif_put_short(editor, directory, VF_TAG_RESOLUTION_UNIT, INCH);
}

static void put_thumbnail(vf_tiff_editor *editor, const vf_exif *exif) {
  enum { JPEG_COMPRESSION = 6, STANDARD_RESOLUTION = 72 };
  vf_tiff_remove_thumbnail(editor);
  if (!exif->thumbnail || !exif->thumbnail_count || exif->thumbnail_count > MAXIMUM_PAYLOAD)
    return;
  vf_tiff_put_thumbnail(editor, exif->thumbnail, exif->thumbnail_count);
  vf_exif_put_short(editor, VF_TIFF_THUMBNAIL, VF_TAG_COMPRESSION, JPEG_COMPRESSION);
  put_resolution(editor, VF_TIFF_THUMBNAIL, STANDARD_RESOLUTION);
}

/// When the file was written, with what belongs to it: an old offset would turn into a lie.
static void put_date_time(vf_tiff_editor *editor, const vf_exif *exif) {
  if (!has_text(exif->date_time))
    return;
  vf_tiff_remove(editor, VF_TIFF_EXIF, VF_TAG_OFFSET_TIME);
  vf_tiff_remove(editor, VF_TIFF_EXIF, VF_TAG_SUB_SEC_TIME);
  put_text(editor, VF_TIFF_MAIN, VF_TAG_DATE_TIME, exif->date_time);
  put_text(editor, VF_TIFF_EXIF, VF_TAG_OFFSET_TIME, exif->offset_time);
  put_text(editor, VF_TIFF_EXIF, VF_TAG_SUB_SEC_TIME, exif->sub_sec);
}

/// What changes with each new file.
static void put_file_tags(vf_tiff_editor *editor, const vf_exif *exif) {
  vf_exif_put_short(editor, VF_TIFF_MAIN, VF_TAG_ORIENTATION,
                    exif->orientation ? exif->orientation : 1);
  put_text(editor, VF_TIFF_MAIN, VF_TAG_SOFTWARE, exif->software);
  put_date_time(editor, exif);
  if (exif->width)
    vf_exif_put_long(editor, VF_TIFF_EXIF, VF_TAG_PIXEL_X_DIMENSION, exif->width);
  if (exif->height)
    vf_exif_put_long(editor, VF_TIFF_EXIF, VF_TAG_PIXEL_Y_DIMENSION, exif->height);
  put_thumbnail(editor, exif);
}

static void put_capture_tags(vf_tiff_editor *editor, const vf_exif *exif) {
  put_text(editor, VF_TIFF_MAIN, VF_TAG_MAKE, exif->make);
  put_text(editor, VF_TIFF_MAIN, VF_TAG_MODEL, exif->model);
  if (has_text(exif->date_time_original)) {
    const char *date = exif->date_time_original;
    put_text(editor, VF_TIFF_EXIF, VF_TAG_DATE_TIME_ORIGINAL, date);
    put_text(editor, VF_TIFF_EXIF, VF_TAG_DATE_TIME_DIGITIZED, date);
    put_text(editor, VF_TIFF_EXIF, VF_TAG_OFFSET_TIME_ORIGINAL, exif->offset_time_original);
    put_text(editor, VF_TIFF_EXIF, VF_TAG_OFFSET_TIME_DIGITIZED, exif->offset_time_original);
    put_text(editor, VF_TIFF_EXIF, VF_TAG_SUB_SEC_TIME_ORIGINAL, exif->sub_sec_original);
    put_text(editor, VF_TIFF_EXIF, VF_TAG_SUB_SEC_TIME_DIGITIZED, exif->sub_sec_original);
  }
  if (exif->exposure_time_denominator) {
    const uint32_t time[] = {exif->exposure_time_numerator, exif->exposure_time_denominator};
    vf_exif_put_fractions(editor, VF_TIFF_EXIF, VF_TAG_EXPOSURE_TIME, time, 1);
  }
  if (exif->iso)
    vf_exif_put_short(editor, VF_TIFF_EXIF, VF_TAG_PHOTOGRAPHIC_SENSITIVITY, exif->iso);
  if (exif->exposure_mode)
    vf_exif_put_short(editor, VF_TIFF_EXIF, VF_TAG_EXPOSURE_MODE,
                      (uint16_t)(exif->exposure_mode - 1));
  if (exif->white_balance)
    vf_exif_put_short(editor, VF_TIFF_EXIF, VF_TAG_WHITE_BALANCE,
                      (uint16_t)(exif->white_balance - 1));
  put_text(editor, VF_TIFF_EXIF, VF_TAG_IMAGE_UNIQUE_ID, exif->unique_id);
}

/// Puts what EXIF asks of every file and isn't there yet.
static void complete(vf_tiff_editor *editor, const vf_exif *exif) {
  enum { SRGB = 1, STANDARD_RESOLUTION = 72, CENTERED = 1 };
  static const struct {
    int directory;
    uint16_t tag;
    char value[4];
  } constants[] = {
      {VF_TIFF_EXIF, VF_TAG_EXIF_VERSION, {'0', '2', '3', '2'}},
      {VF_TIFF_EXIF, VF_TAG_COMPONENTS_CONFIGURATION, {1, 2, 3, 0}},
      {VF_TIFF_EXIF, VF_TAG_FLASHPIX_VERSION, {'0', '1', '0', '0'}},
      {VF_TIFF_INTEROPERABILITY, VF_INTEROPERABILITY_VERSION, {'0', '1', '0', '0'}},
  };
  for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
    if (!has_tag(editor, constants[i].directory, constants[i].tag))
      vf_exif_put_undefined(editor, constants[i].directory, constants[i].tag, constants[i].value);
  if (!has_tag(editor, VF_TIFF_INTEROPERABILITY, VF_INTEROPERABILITY_INDEX))
    put_text(editor, VF_TIFF_INTEROPERABILITY, VF_INTEROPERABILITY_INDEX, "R98");
  if (!has_tag(editor, VF_TIFF_EXIF, VF_TAG_COLOR_SPACE))
    vf_exif_put_short(editor, VF_TIFF_EXIF, VF_TAG_COLOR_SPACE, SRGB);
  if (exif->dots_per_inch || !has_tag(editor, VF_TIFF_MAIN, VF_TAG_X_RESOLUTION) ||
      !has_tag(editor, VF_TIFF_MAIN, VF_TAG_Y_RESOLUTION))
    put_resolution(editor, VF_TIFF_MAIN,
                   exif->dots_per_inch ? exif->dots_per_inch : STANDARD_RESOLUTION);
  if (exif->ycbcr_positioning || !has_tag(editor, VF_TIFF_MAIN, VF_TAG_YCBCR_POSITIONING))
    vf_exif_put_short(editor, VF_TIFF_MAIN, VF_TAG_YCBCR_POSITIONING,
                      exif->ycbcr_positioning ? exif->ycbcr_positioning : CENTERED);
}

/// Takes out what would be wrong in another file: offsets into the old one, and what describes
/// TIFF's own picture data.
static void remove_stale_tags(vf_tiff_editor *editor) {
  static const uint16_t stale[] = {
      VF_TAG_IMAGE_WIDTH,
      VF_TAG_IMAGE_LENGTH,
      VF_TAG_BITS_PER_SAMPLE,
      VF_TAG_COMPRESSION,
      VF_TAG_PHOTOMETRIC_INTERPRETATION,
      VF_TAG_STRIP_OFFSETS,
      VF_TAG_SAMPLES_PER_PIXEL,
      VF_TAG_ROWS_PER_STRIP,
      VF_TAG_STRIP_BYTE_COUNTS,
      VF_TAG_PLANAR_CONFIGURATION,
      VF_TAG_SUB_IFDS,
      VF_TAG_JPEG_INTERCHANGE_FORMAT,
      VF_TAG_JPEG_INTERCHANGE_FORMAT_LENGTH,
  };
  for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
    vf_tiff_remove(editor, VF_TIFF_MAIN, stale[i]);
  vf_tiff_remove(editor, VF_TIFF_EXIF, VF_TAG_MAKER_NOTE);
}

/// Lays out what was put; without the thumbnail when it doesn't fit.
static int finish(vf_tiff_editor *editor, vf_buffer *result, vf_failure *failure) {
  uint8_t *payload = malloc(MAXIMUM_PAYLOAD);
  if (!payload)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  memcpy(payload, "Exif\0\0", MARK);
  size_t count = vf_tiff_pack(editor, payload + MARK, MAXIMUM_PAYLOAD - MARK);
  if (!count) {
    vf_tiff_remove_thumbnail(editor);
    count = vf_tiff_pack(editor, payload + MARK, MAXIMUM_PAYLOAD - MARK);
  }
  if (!count) {
    free(payload);
    return vf_fail(failure, EINVAL, "EXIF", "the tags don't fit a segment");
  }
  *result = (vf_buffer){.bytes = payload, .count = MARK + count};
  return 0;
}

static int check(const vf_exif *exif, vf_failure *failure) {
  if (exif->orientation > 8)
    return vf_fail(failure, EINVAL, "EXIF", "orientation %u", exif->orientation);
  return 0;
}

/// Bytes that all values together take.
static size_t room_for(const vf_exif *exif) {
  enum { NUMBERS = 256 };
  const char *const texts[] = {
      exif->make,
      exif->model,
      exif->software,
      exif->date_time,
      exif->offset_time,
      exif->sub_sec,
      // Twice: when it was taken, and when it became data.
      exif->date_time_original,
      exif->date_time_original,
      exif->offset_time_original,
      exif->offset_time_original,
      exif->sub_sec_original,
      exif->sub_sec_original,
      exif->unique_id,
  };
  size_t room = NUMBERS;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    room += vf_exif_room(texts[i]);
  return room;
}

int vf_exif_write(const vf_exif *exif, vf_buffer *result, vf_failure *failure) {
  *result = (vf_buffer){0};
  int failed = check(exif, failure);
  if (failed)
    return failed;
  vf_tiff_editor editor;
  failed = vf_tiff_create(&editor, room_for(exif));
  if (failed) {
    failed = vf_fail(failure, -failed, "EXIF", NULL);
  } else {
    complete(&editor, exif);
    put_capture_tags(&editor, exif);
    put_file_tags(&editor, exif);
    failed = finish(&editor, result, failure);
  }
  vf_tiff_close(&editor);
  return failed;
}

int vf_exif_update(const uint8_t *tiff, size_t count, const vf_exif *exif, vf_buffer *result,
                   vf_failure *failure) {
  *result = (vf_buffer){0};
  int failed = check(exif, failure);
  if (failed)
    return failed;
  vf_tiff_editor editor;
  failed = vf_tiff_open(&editor, tiff, count, room_for(exif));
  if (failed == -ENOMEM) {
    vf_fail(failure, ENOMEM, "EXIF", NULL);
  } else if (!failed) {
    vf_tiff_tidy(&editor);
    remove_stale_tags(&editor);
    put_file_tags(&editor, exif);
    // The tags for time zones came with version 2.31.
    if (has_text(exif->date_time) && has_text(exif->offset_time))
      vf_tiff_remove(&editor, VF_TIFF_EXIF, VF_TAG_EXIF_VERSION);
    complete(&editor, exif);
    failed = finish(&editor, result, failure);
  }
  vf_tiff_close(&editor);
  // What can't be read, or is too much for a segment, doesn't keep the photo from having its own.
  return failed && failed != -ENOMEM ? vf_exif_write(exif, result, failure) : failed;
}
