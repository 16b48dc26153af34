#include "fuzz.h"

#include <math.h>

// TIFF data of a photo: its orientation, the payload that a photo made of it gets, and what it is
// with other tags.

static const char *const texts[] = {NULL,     "",       "2026:11:21 12:30:00",
                                    "+01:00", "Camera", "\377\376"};

static const char *take_text(input *settings) {
  return texts[take8(settings) % (sizeof texts / sizeof *texts)];
}

static void require_payload(const vf_buffer *payload, const vf_exif *exif) {
  REQUIRE(payload->count > 14 && payload->count <= 65533);
  REQUIRE(memcmp(payload->bytes, "Exif\0\0", 6) == 0);
  uint32_t orientation = vf_exif_orientation(payload->bytes + 6, payload->count - 6);
  REQUIRE(orientation == (exif->orientation ? exif->orientation : 1));
}

/// Changes in place: what is given is there, and what was made once can be changed again.
static void merge(const uint8_t *tiff, size_t count, input *settings) {
  const vf_exif_position position = {.latitude = take8(settings) - 100,
                                     .longitude = take8(settings) - 100,
                                     .altitude = take16(settings) - 1000,
                                     .has_altitude = take8(settings) & 1};
  const vf_exif_changes changes = {
      .image_description = take_text(settings),
      .artist = take_text(settings),
      .copyright = take_text(settings),
      .orientation = take8(settings) % 10,
      .date_time_original = take_text(settings),
      .offset_time_original = take_text(settings),
      .sub_sec_original = take_text(settings),
      .position = take8(settings) & 1 ? &position : NULL,
      .width = take16(settings),
      .height = take16(settings),
  };
  vf_buffer merged, again;
  vf_failure failure;
  int code = vf_exif_merge(tiff, count, &changes, &merged, &failure);
  if (code < 0) {
    require_failure(code, &failure);
    REQUIRE(!merged.bytes);
    REQUIRE(changes.orientation > 8 || (changes.position && fabs(position.latitude) > 90));
    return;
  }
  if (changes.orientation)
    REQUIRE(vf_exif_orientation(merged.bytes, merged.count) == changes.orientation);
  REQUIRE(vf_exif_merge(merged.bytes, merged.count, &changes, &again, &failure) == 0);
  vf_buffer_free(&again);
  vf_buffer_free(&merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input settings = {data, size};
  uint8_t thumbnail[64];
  vf_exif exif = {
      .make = take_text(&settings),
      .model = take_text(&settings),
      .software = take_text(&settings),
      .orientation = take8(&settings) % 10,
      .width = take16(&settings),
      .height = take16(&settings),
      .dots_per_inch = take16(&settings),
      .date_time_original = take_text(&settings),
      .date_time = take_text(&settings),
      .offset_time_original = take_text(&settings),
      .offset_time = take_text(&settings),
      .sub_sec = take_text(&settings),
      .exposure_time_numerator = take8(&settings),
      .exposure_time_denominator = take8(&settings),
      .iso = take8(&settings),
      .exposure_mode = take8(&settings),
      .white_balance = take8(&settings),
      .unique_id = take_text(&settings),
      .ycbcr_positioning = take8(&settings) % 3,
      .thumbnail_count = take8(&settings) % (sizeof thumbnail + 1),
  };
  memset(thumbnail, 7, sizeof thumbnail);
  exif.thumbnail = exif.thumbnail_count ? thumbnail : NULL;

  uint8_t *tiff = copy_exactly(data, size);
  uint32_t orientation = vf_exif_orientation(tiff, size);
  REQUIRE(orientation >= 1 && orientation <= 8);
  vf_buffer payload, again;
  vf_failure failure;
  int code = vf_exif_update(tiff, size, &exif, &payload, &failure);
  if (code < 0) {
    require_failure(code, &failure);
    REQUIRE(exif.orientation > 8 && !payload.bytes);
  } else {
    require_payload(&payload, &exif);
    // What we wrote ourselves we read.
    REQUIRE(vf_exif_update(payload.bytes + 6, payload.count - 6, &exif, &again, &failure) == 0);
    require_payload(&again, &exif);
    vf_buffer_free(&again);
    vf_buffer_free(&payload);
    REQUIRE(vf_exif_write(&exif, &payload, &failure) == 0);
    require_payload(&payload, &exif);
    vf_buffer_free(&payload);
  }
  merge(tiff, size, &settings);
  free(tiff);
  return 0;
}
