#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exif/tags.h"
#include "exif/values.h"
#include "failure.h"
#include "vf_exif.h"

static const double maximum_altitude = 4e6;

static int check(const vf_exif_changes *changes, vf_failure *failure) {
  if (changes->orientation > 8)
    return vf_fail(failure, EINVAL, "EXIF", "orientation %u", changes->orientation);
  const vf_exif_position *position = changes->position;
  // Written so that NaN is refused, too.
  if (position && !(fabs(position->latitude) <= 90 && fabs(position->longitude) <= 180))
    return vf_fail(failure, EINVAL, "EXIF", "position %g, %g", position->latitude,
                   position->longitude);
  if (position && position->has_altitude && !(fabs(position->altitude) <= maximum_altitude))
    return vf_fail(failure, EINVAL, "EXIF", "altitude %g m", position->altitude);
  return 0;
}

/// Degrees, minutes and seconds, to a millionth of a second (0.03 mm).
static void put_angle(vf_tiff_editor *editor, uint16_t tag, double degrees) {
  const uint32_t million = 1000000;
  uint64_t parts = (uint64_t)llround(fabs(degrees) * 3600 * million);
  uint64_t minutes = parts / million / 60;
  const uint32_t numbers[] = {(uint32_t)(minutes / 60),
                              1,
                              (uint32_t)(minutes % 60),
                              1,
                              (uint32_t)(parts % (60ULL * million)),
                              million};
  vf_exif_put_fractions(editor, VF_TIFF_GPS, tag, numbers, 3);
}

static void put_position(vf_tiff_editor *editor, const vf_exif_position *position) {
  enum { VERSION_BYTES = 4 };
  const uint32_t thousand = 1000;
  static const uint8_t version[VERSION_BYTES] = {2, 3, 0, 0};
  static const uint16_t stale[] = {
      VF_GPS_ALTITUDE_REF,      VF_GPS_ALTITUDE,
      VF_GPS_SATELLITES,        VF_GPS_STATUS,
      VF_GPS_MEASURE_MODE,      VF_GPS_DOP,
      VF_GPS_PROCESSING_METHOD, VF_GPS_AREA_INFORMATION,
      VF_GPS_DIFFERENTIAL,      VF_GPS_POSITIONING_ERROR,
  };
  for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
    vf_tiff_remove(editor, VF_TIFF_GPS, stale[i]);
  vf_tiff_put(editor, VF_TIFF_GPS, VF_GPS_VERSION_ID, VF_TIFF_BYTE, VERSION_BYTES, version,
              VERSION_BYTES);
  vf_exif_put_text(editor, VF_TIFF_GPS, VF_GPS_LATITUDE_REF, position->latitude < 0 ? "S" : "N");
  put_angle(editor, VF_GPS_LATITUDE, position->latitude);
  vf_exif_put_text(editor, VF_TIFF_GPS, VF_GPS_LONGITUDE_REF, position->longitude < 0 ? "W" : "E");
  put_angle(editor, VF_GPS_LONGITUDE, position->longitude);
  vf_exif_put_text(editor, VF_TIFF_GPS, VF_GPS_MAP_DATUM, "WGS-84");
  if (!position->has_altitude)
    return;
  const uint8_t below_sea = position->altitude < 0;
  vf_tiff_put(editor, VF_TIFF_GPS, VF_GPS_ALTITUDE_REF, VF_TIFF_BYTE, 1, &below_sea, 1);
  const uint32_t altitude[] = {(uint32_t)llround(fabs(position->altitude) * thousand), thousand};
  vf_exif_put_fractions(editor, VF_TIFF_GPS, VF_GPS_ALTITUDE, altitude, 1);
}

/// The tags for time zones came with version 2.31; and every Exif directory has a version.
static void raise_version(vf_tiff_editor *editor, int has_offset) {
  const uint8_t *entry = vf_tiff_find(editor, VF_TIFF_EXIF, VF_TAG_EXIF_VERSION);
  if (!entry || (has_offset && memcmp(entry + VF_TIFF_VALUE, "0231", 4) < 0))
    vf_exif_put_undefined(editor, VF_TIFF_EXIF, VF_TAG_EXIF_VERSION, "0232");
}

/// The date with what belongs to it: an old offset would turn into a lie.
static void put_date(vf_tiff_editor *editor, const vf_exif_changes *changes) {
  const char *offset = changes->offset_time_original ? changes->offset_time_original : "";
  const char *sub_sec = changes->sub_sec_original ? changes->sub_sec_original : "";
  raise_version(editor, *offset != 0);
  vf_exif_put_text(editor, VF_TIFF_EXIF, VF_TAG_DATE_TIME_ORIGINAL, changes->date_time_original);
  vf_exif_put_text(editor, VF_TIFF_EXIF, VF_TAG_OFFSET_TIME_ORIGINAL, offset);
  vf_exif_put_text(editor, VF_TIFF_EXIF, VF_TAG_SUB_SEC_TIME_ORIGINAL, sub_sec);
}

static void put_changes(vf_tiff_editor *editor, const vf_exif_changes *changes) {
  vf_exif_put_text(editor, VF_TIFF_MAIN, VF_TAG_IMAGE_DESCRIPTION, changes->image_description);
  vf_exif_put_text(editor, VF_TIFF_MAIN, VF_TAG_ARTIST, changes->artist);
  vf_exif_put_text(editor, VF_TIFF_MAIN, VF_TAG_COPYRIGHT, changes->copyright);
  if (changes->orientation)
    vf_exif_put_short(editor, VF_TIFF_MAIN, VF_TAG_ORIENTATION, changes->orientation);
  if (changes->date_time_original)
    put_date(editor, changes);
  if (changes->position)
    put_position(editor, changes->position);
}

/// Opens data that say what EXIF asks of every file, and no more.
static int open_new(vf_tiff_editor *editor, const vf_exif_changes *changes, size_t room,
                    vf_failure *failure) {
  enum { MARK = 6 };
  const vf_exif exif = {.width = changes->width, .height = changes->height};
  vf_buffer payload;
  int failed = vf_exif_write(&exif, &payload, failure);
  if (failed)
    return failed;
  failed = vf_tiff_open(editor, payload.bytes + MARK, payload.count - MARK, room);
  vf_buffer_free(&payload);
  return failed ? vf_fail(failure, -failed, "EXIF", NULL) : 0;
}

int vf_exif_merge(const uint8_t *tiff, size_t count, const vf_exif_changes *changes,
                  vf_buffer *result, vf_failure *failure) {
  enum { POSITION_ROOM = 128 };
  *result = (vf_buffer){0};
  int failed = check(changes, failure);
  if (failed)
    return failed;
  size_t room =
      POSITION_ROOM + vf_exif_room(changes->image_description) + vf_exif_room(changes->artist) +
      vf_exif_room(changes->copyright) + vf_exif_room(changes->date_time_original) +
      vf_exif_room(changes->offset_time_original) + vf_exif_room(changes->sub_sec_original);
  vf_tiff_editor editor;
  failed = vf_tiff_open(&editor, tiff, count, room);
  if (failed == -EBADMSG) {
    vf_tiff_close(&editor);
    failed = open_new(&editor, changes, room, failure);
  } else if (failed) {
    failed = vf_fail(failure, -failed, "EXIF", NULL);
  }
  if (!failed) {
    put_changes(&editor, changes);
    vf_tiff_finish(&editor);
    if (editor.overflow)
      failed = vf_fail(failure, ENOMEM, "EXIF", NULL);
  }
  if (!failed) {
    *result = (vf_buffer){.bytes = editor.bytes, .count = editor.count};
    editor.bytes = NULL;
  }
  vf_tiff_close(&editor);
  return failed;
}
