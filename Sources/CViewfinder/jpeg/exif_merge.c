#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "jpeg/directory.h"
#include "vf_exif.h"

enum {
  TAG_IMAGE_DESCRIPTION = 0x010E,
  TAG_ORIENTATION = 0x0112,
  TAG_ARTIST = 0x013B,
  TAG_COPYRIGHT = 0x8298,
  TAG_EXIF_VERSION = 0x9000,
  TAG_DATE_TIME_ORIGINAL = 0x9003,
  TAG_OFFSET_TIME_ORIGINAL = 0x9011,
  TAG_SUB_SEC_TIME_ORIGINAL = 0x9291,
};

enum {
  GPS_VERSION_ID = 0x00,
  GPS_LATITUDE_REF = 0x01,
  GPS_LATITUDE = 0x02,
  GPS_LONGITUDE_REF = 0x03,
  GPS_LONGITUDE = 0x04,
  GPS_ALTITUDE_REF = 0x05,
  GPS_ALTITUDE = 0x06,
  GPS_SATELLITES = 0x08,
  GPS_STATUS = 0x09,
  GPS_MEASURE_MODE = 0x0A,
  GPS_DOP = 0x0B,
  GPS_MAP_DATUM = 0x12,
  GPS_PROCESSING_METHOD = 0x1B,
  GPS_AREA_INFORMATION = 0x1C,
  GPS_DIFFERENTIAL = 0x1E,
  GPS_POSITIONING_ERROR = 0x1F,
};

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

// MARK: Values

/// Bytes that a text needs, with its NUL and a byte to begin at an even offset.
static size_t room_for(const char *_Nullable text) { return text ? strlen(text) + 2 : 0; }

/// Puts a text, or takes the tag out where the text is empty; NULL leaves it.
static void put_text(vf_tiff_editor *editor, int directory, uint16_t tag,
                     const char *_Nullable text) {
  if (!text)
    return;
  size_t size = strlen(text) + 1;
  if (size > 1)
    vf_tiff_put(editor, directory, tag, VF_TIFF_ASCII, (uint32_t)size, (const uint8_t *)text, size);
  else
    vf_tiff_remove(editor, directory, tag);
}

/// Puts fractions; numerators and denominators take turns.
static void put_fractions(vf_tiff_editor *editor, uint16_t tag, const uint32_t *numbers,
                          uint32_t count) {
  uint8_t bytes[3 * 8];
  for (size_t i = 0; i < 2 * (size_t)count; i++)
    vf_tiff_set_number(bytes + 4 * i, 4, numbers[i], editor->big_endian);
  vf_tiff_put(editor, VF_TIFF_GPS, tag, VF_TIFF_RATIONAL, count, bytes, 8 * (size_t)count);
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
  put_fractions(editor, tag, numbers, 3);
}

// MARK: Tags

static void put_position(vf_tiff_editor *editor, const vf_exif_position *position) {
  enum { VERSION_BYTES = 4 };
  const uint32_t thousand = 1000;
  static const uint8_t version[VERSION_BYTES] = {2, 3, 0, 0};
  static const uint16_t stale[] = {
      GPS_ALTITUDE_REF,      GPS_ALTITUDE,
      GPS_SATELLITES,        GPS_STATUS,
      GPS_MEASURE_MODE,      GPS_DOP,
      GPS_PROCESSING_METHOD, GPS_AREA_INFORMATION,
      GPS_DIFFERENTIAL,      GPS_POSITIONING_ERROR,
  };
  for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
    vf_tiff_remove(editor, VF_TIFF_GPS, stale[i]);
  vf_tiff_put(editor, VF_TIFF_GPS, GPS_VERSION_ID, VF_TIFF_BYTE, VERSION_BYTES, version,
              VERSION_BYTES);
  put_text(editor, VF_TIFF_GPS, GPS_LATITUDE_REF, position->latitude < 0 ? "S" : "N");
  put_angle(editor, GPS_LATITUDE, position->latitude);
  put_text(editor, VF_TIFF_GPS, GPS_LONGITUDE_REF, position->longitude < 0 ? "W" : "E");
  put_angle(editor, GPS_LONGITUDE, position->longitude);
  put_text(editor, VF_TIFF_GPS, GPS_MAP_DATUM, "WGS-84");
  if (!position->has_altitude)
    return;
  const uint8_t below_sea = position->altitude < 0;
  vf_tiff_put(editor, VF_TIFF_GPS, GPS_ALTITUDE_REF, VF_TIFF_BYTE, 1, &below_sea, 1);
  const uint32_t altitude[] = {(uint32_t)llround(fabs(position->altitude) * thousand), thousand};
  put_fractions(editor, GPS_ALTITUDE, altitude, 1);
}

/// The tags for time zones came with version 2.31; and every Exif directory has a version.
static void raise_version(vf_tiff_editor *editor, int has_offset) {
  enum { COUNT = 4 };
  const uint8_t *entry = vf_tiff_find(editor, VF_TIFF_EXIF, TAG_EXIF_VERSION);
  if (!entry || (has_offset && memcmp(entry + 8, "0231", COUNT) < 0))
    vf_tiff_put(editor, VF_TIFF_EXIF, TAG_EXIF_VERSION, VF_TIFF_UNDEFINED, COUNT,
                (const uint8_t *)"0232", COUNT);
}

/// The date with what belongs to it: an old offset would turn into a lie.
static void put_date(vf_tiff_editor *editor, const vf_exif_changes *changes) {
  const char *offset = changes->offset_time_original ? changes->offset_time_original : "";
  const char *sub_sec = changes->sub_sec_original ? changes->sub_sec_original : "";
  raise_version(editor, *offset != 0);
  put_text(editor, VF_TIFF_EXIF, TAG_DATE_TIME_ORIGINAL, changes->date_time_original);
  put_text(editor, VF_TIFF_EXIF, TAG_OFFSET_TIME_ORIGINAL, offset);
  put_text(editor, VF_TIFF_EXIF, TAG_SUB_SEC_TIME_ORIGINAL, sub_sec);
}

static void put_changes(vf_tiff_editor *editor, const vf_exif_changes *changes) {
  put_text(editor, VF_TIFF_MAIN, TAG_IMAGE_DESCRIPTION, changes->image_description);
  put_text(editor, VF_TIFF_MAIN, TAG_ARTIST, changes->artist);
  put_text(editor, VF_TIFF_MAIN, TAG_COPYRIGHT, changes->copyright);
  if (changes->orientation) {
    uint8_t bytes[2];
    vf_tiff_set_number(bytes, sizeof bytes, changes->orientation, editor->big_endian);
    vf_tiff_put(editor, VF_TIFF_MAIN, TAG_ORIENTATION, VF_TIFF_SHORT, 1, bytes, sizeof bytes);
  }
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
  size_t room = POSITION_ROOM + room_for(changes->image_description) + room_for(changes->artist) +
                room_for(changes->copyright) + room_for(changes->date_time_original) +
                room_for(changes->offset_time_original) + room_for(changes->sub_sec_original);
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
