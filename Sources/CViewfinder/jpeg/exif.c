#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>

#include "failure.h"
#include "vf_exif.h"

enum {
  /// What an APP1 segment holds.
  MAXIMUM_PAYLOAD = 65533,
  /// Tags that libexif has no name for.
  TAG_SUB_IFDS = 0x014A,
};

/// A writer on libexif's data. Its own rules ("follow the specification") are off: they invent
/// tags.
typedef struct writer {
  ExifMem *memory;
  ExifData *data;
  int out_of_memory;
} writer;

static int begin(writer *writer) {
  *writer = (struct writer){.memory = exif_mem_new_default()};
  if (writer->memory)
    writer->data = exif_data_new_mem(writer->memory);
  if (!writer->data)
    return -1;
  exif_data_unset_option(writer->data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_unset_option(writer->data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
  exif_data_set_option(writer->data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
  exif_data_set_data_type(writer->data, EXIF_DATA_TYPE_COMPRESSED);
  return 0;
}

static void end(writer *writer) {
  if (writer->data)
    exif_data_unref(writer->data);
  if (writer->memory)
    exif_mem_unref(writer->memory);
}

static void remove_tag(writer *writer, ExifIfd ifd, ExifTag tag) {
  ExifContent *content = writer->data->ifd[ifd];
  ExifEntry *entry;
  while ((entry = exif_content_get_entry(content, tag)))
    exif_content_remove_entry(content, entry);
}

/// Puts a tag in place of the one that is there.
static void put(writer *writer, ExifIfd ifd, ExifTag tag, ExifFormat format, const void *bytes,
                size_t size) {
  remove_tag(writer, ifd, tag);
  ExifEntry *entry = exif_entry_new_mem(writer->memory);
  unsigned char *copy = entry ? exif_mem_alloc(writer->memory, (ExifLong)size) : NULL;
  if (copy) {
    memcpy(copy, bytes, size);
    entry->tag = tag;
    entry->format = format;
    entry->components = size / exif_format_get_size(format);
    entry->data = copy;
    entry->size = (unsigned)size;
    exif_content_add_entry(writer->data->ifd[ifd], entry);
  } else {
    writer->out_of_memory = 1;
  }
  if (entry)
    exif_entry_unref(entry);
}

/// Text with its NUL; nothing when there is none. Text longer than a segment makes `finish` fail.
static void put_text(writer *writer, ExifIfd ifd, ExifTag tag, const char *_Nullable text) {
  if (text && *text)
    put(writer, ifd, tag, EXIF_FORMAT_ASCII, text, strnlen(text, MAXIMUM_PAYLOAD) + 1);
}

static void put_undefined(writer *writer, ExifIfd ifd, ExifTag tag, const char bytes[static 4]) {
  put(writer, ifd, tag, EXIF_FORMAT_UNDEFINED, bytes, 4);
}

static void put_short(writer *writer, ExifIfd ifd, ExifTag tag, uint16_t value) {
  unsigned char bytes[2];
  exif_set_short(bytes, exif_data_get_byte_order(writer->data), value);
  put(writer, ifd, tag, EXIF_FORMAT_SHORT, bytes, sizeof bytes);
}

static void put_long(writer *writer, ExifIfd ifd, ExifTag tag, uint32_t value) {
  unsigned char bytes[4];
  exif_set_long(bytes, exif_data_get_byte_order(writer->data), value);
  put(writer, ifd, tag, EXIF_FORMAT_LONG, bytes, sizeof bytes);
}

static void put_fraction(writer *writer, ExifIfd ifd, ExifTag tag, uint32_t numerator,
                         uint32_t denominator) {
  unsigned char bytes[8];
  exif_set_rational(bytes, exif_data_get_byte_order(writer->data),
                    (ExifRational){numerator, denominator});
  put(writer, ifd, tag, EXIF_FORMAT_RATIONAL, bytes, sizeof bytes);
}

static int has_text(const char *_Nullable text) { return text && *text; }

static void put_resolution(writer *writer, ExifIfd ifd, uint32_t dots_per_inch) {
  enum { INCH = 2 };
  put_fraction(writer, ifd, EXIF_TAG_X_RESOLUTION, dots_per_inch, 1);
  put_fraction(writer, ifd, EXIF_TAG_Y_RESOLUTION, dots_per_inch, 1);
  put_short(writer, ifd, EXIF_TAG_RESOLUTION_UNIT, INCH);
}

static void clear_first_ifd(writer *writer) {
  ExifContent *content = writer->data->ifd[EXIF_IFD_1];
  while (content->count)
    exif_content_remove_entry(content, content->entries[0]);
  exif_mem_free(writer->memory, writer->data->data);
  writer->data->data = NULL;
  writer->data->size = 0;
}

static void put_thumbnail(writer *writer, const vf_exif *exif) {
  enum { JPEG_COMPRESSION = 6, STANDARD_RESOLUTION = 72 };
  clear_first_ifd(writer);
  if (!exif->thumbnail || !exif->thumbnail_count || exif->thumbnail_count > MAXIMUM_PAYLOAD)
    return;
  ExifData *data = writer->data;
  data->data = exif_mem_alloc(writer->memory, (ExifLong)exif->thumbnail_count);
  if (!data->data) {
    writer->out_of_memory = 1;
    return;
  }
  memcpy(data->data, exif->thumbnail, exif->thumbnail_count);
  data->size = (unsigned)exif->thumbnail_count;
  put_short(writer, EXIF_IFD_1, EXIF_TAG_COMPRESSION, JPEG_COMPRESSION);
  put_resolution(writer, EXIF_IFD_1, STANDARD_RESOLUTION);
}

/// When the file was written, with what belongs to it: an old offset would turn into a lie.
static void put_date_time(writer *writer, const vf_exif *exif) {
  if (!has_text(exif->date_time))
    return;
  remove_tag(writer, EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME);
  remove_tag(writer, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME);
  put_text(writer, EXIF_IFD_0, EXIF_TAG_DATE_TIME, exif->date_time);
  put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME, exif->offset_time);
  put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME, exif->sub_sec);
}

/// What changes with each new file.
static void put_file_tags(writer *writer, const vf_exif *exif) {
  put_short(writer, EXIF_IFD_0, EXIF_TAG_ORIENTATION, exif->orientation ? exif->orientation : 1);
  put_text(writer, EXIF_IFD_0, EXIF_TAG_SOFTWARE, exif->software);
  put_date_time(writer, exif);
  if (exif->width)
    put_long(writer, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_X_DIMENSION, exif->width);
  if (exif->height)
    put_long(writer, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_Y_DIMENSION, exif->height);
  put_thumbnail(writer, exif);
}

static void put_capture_tags(writer *writer, const vf_exif *exif) {
  put_text(writer, EXIF_IFD_0, EXIF_TAG_MAKE, exif->make);
  put_text(writer, EXIF_IFD_0, EXIF_TAG_MODEL, exif->model);
  if (has_text(exif->date_time_original)) {
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL, exif->date_time_original);
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_DIGITIZED, exif->date_time_original);
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME_ORIGINAL, exif->offset_time_original);
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME_DIGITIZED, exif->offset_time_original);
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, exif->sub_sec_original);
    put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_DIGITIZED, exif->sub_sec_original);
  }
  if (exif->exposure_time_denominator)
    put_fraction(writer, EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_TIME, exif->exposure_time_numerator,
                 exif->exposure_time_denominator);
  if (exif->iso)
    put_short(writer, EXIF_IFD_EXIF, EXIF_TAG_ISO_SPEED_RATINGS, exif->iso);
  if (exif->exposure_mode)
    put_short(writer, EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_MODE, (uint16_t)(exif->exposure_mode - 1));
  if (exif->white_balance)
    put_short(writer, EXIF_IFD_EXIF, EXIF_TAG_WHITE_BALANCE, (uint16_t)(exif->white_balance - 1));
  put_text(writer, EXIF_IFD_EXIF, EXIF_TAG_IMAGE_UNIQUE_ID, exif->unique_id);
}

static int has_tag(const writer *writer, ExifIfd ifd, ExifTag tag) {
  return exif_content_get_entry(writer->data->ifd[ifd], tag) != NULL;
}

/// Puts what EXIF asks of every file and isn't there yet.
static void complete(writer *writer, const vf_exif *exif) {
  enum { SRGB = 1, STANDARD_RESOLUTION = 72, CENTERED = 1 };
  static const struct {
    ExifIfd ifd;
    ExifTag tag;
    char value[4];
  } constants[] = {
      {EXIF_IFD_EXIF, EXIF_TAG_EXIF_VERSION, {'0', '2', '3', '2'}},
      {EXIF_IFD_EXIF, EXIF_TAG_COMPONENTS_CONFIGURATION, {1, 2, 3, 0}},
      {EXIF_IFD_EXIF, EXIF_TAG_FLASH_PIX_VERSION, {'0', '1', '0', '0'}},
      {EXIF_IFD_INTEROPERABILITY, EXIF_TAG_INTEROPERABILITY_VERSION, {'0', '1', '0', '0'}},
  };
  for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
    if (!has_tag(writer, constants[i].ifd, constants[i].tag))
      put_undefined(writer, constants[i].ifd, constants[i].tag, constants[i].value);
  if (!has_tag(writer, EXIF_IFD_INTEROPERABILITY, EXIF_TAG_INTEROPERABILITY_INDEX))
    put_text(writer, EXIF_IFD_INTEROPERABILITY, EXIF_TAG_INTEROPERABILITY_INDEX, "R98");
  if (!has_tag(writer, EXIF_IFD_EXIF, EXIF_TAG_COLOR_SPACE))
    put_short(writer, EXIF_IFD_EXIF, EXIF_TAG_COLOR_SPACE, SRGB);
  if (exif->dots_per_inch || !has_tag(writer, EXIF_IFD_0, EXIF_TAG_X_RESOLUTION) ||
      !has_tag(writer, EXIF_IFD_0, EXIF_TAG_Y_RESOLUTION))
    put_resolution(writer, EXIF_IFD_0,
                   exif->dots_per_inch ? exif->dots_per_inch : STANDARD_RESOLUTION);
  if (exif->ycbcr_positioning || !has_tag(writer, EXIF_IFD_0, EXIF_TAG_YCBCR_POSITIONING))
    put_short(writer, EXIF_IFD_0, EXIF_TAG_YCBCR_POSITIONING,
              exif->ycbcr_positioning ? exif->ycbcr_positioning : CENTERED);
}

/// Writes what was put; without the thumbnail when it doesn't fit.
static int finish(writer *writer, vf_buffer *result, vf_failure *failure) {
  for (;;) {
    unsigned char *bytes = NULL;
    unsigned count = 0;
    if (!writer->out_of_memory)
      exif_data_save_data(writer->data, &bytes, &count);
    if (!bytes)
      return vf_fail(failure, ENOMEM, "EXIF", NULL);
    if (count <= MAXIMUM_PAYLOAD) {
      // libexif's default memory is malloc's, but only a copy of ours is sure to suit `free`.
      result->bytes = malloc(count);
      if (result->bytes) {
        memcpy(result->bytes, bytes, count);
        result->count = count;
      }
      exif_mem_free(writer->memory, bytes);
      return result->bytes ? 0 : vf_fail(failure, ENOMEM, "malloc", NULL);
    }
    exif_mem_free(writer->memory, bytes);
    if (!writer->data->data)
      return vf_fail(failure, EINVAL, "EXIF", "%u bytes don't fit a segment", count);
    clear_first_ifd(writer);
  }
}

static int check(const vf_exif *exif, vf_failure *failure) {
  if (exif->orientation > 8)
    return vf_fail(failure, EINVAL, "EXIF", "orientation %u", exif->orientation);
  return 0;
}

int vf_exif_write(const vf_exif *exif, vf_buffer *result, vf_failure *failure) {
  *result = (vf_buffer){0};
  int failed = check(exif, failure);
  if (failed)
    return failed;
  writer writer;
  if (begin(&writer) < 0) {
    failed = vf_fail(failure, ENOMEM, "EXIF", NULL);
  } else {
    exif_data_set_byte_order(writer.data, EXIF_BYTE_ORDER_INTEL);
    complete(&writer, exif);
    put_capture_tags(&writer, exif);
    put_file_tags(&writer, exif);
    failed = finish(&writer, result, failure);
  }
  end(&writer);
  return failed;
}

/// Reads TIFF data; returns the number of entries found.
static unsigned load(writer *writer, const uint8_t *tiff, size_t count) {
  // libexif takes no more than a segment holds, with the header that belongs there.
  if (count < 8 || count > MAXIMUM_PAYLOAD - 6)
    return 0;
  uint8_t *payload = malloc(count + 6);
  if (!payload) {
    writer->out_of_memory = 1;
    return 0;
  }
  memcpy(payload, "Exif\0\0", 6);
  memcpy(payload + 6, tiff, count);
  exif_data_load_data(writer->data, payload, (unsigned)count + 6);
  free(payload);
  unsigned entries = 0;
  for (int ifd = 0; ifd < EXIF_IFD_COUNT; ifd++)
    entries += writer->data->ifd[ifd]->count;
  return entries;
}

/// Takes out what would be wrong in another file: offsets into the old one, and what describes
/// TIFF's own picture data.
static void remove_stale_tags(writer *writer) {
  static const int stale[] = {
      EXIF_TAG_IMAGE_WIDTH,
      EXIF_TAG_IMAGE_LENGTH,
      EXIF_TAG_BITS_PER_SAMPLE,
      EXIF_TAG_COMPRESSION,
      EXIF_TAG_PHOTOMETRIC_INTERPRETATION,
      EXIF_TAG_STRIP_OFFSETS,
      EXIF_TAG_SAMPLES_PER_PIXEL,
      EXIF_TAG_ROWS_PER_STRIP,
      EXIF_TAG_STRIP_BYTE_COUNTS,
      EXIF_TAG_PLANAR_CONFIGURATION,
      TAG_SUB_IFDS,
      EXIF_TAG_JPEG_INTERCHANGE_FORMAT,
      EXIF_TAG_JPEG_INTERCHANGE_FORMAT_LENGTH,
  };
  for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
    remove_tag(writer, EXIF_IFD_0, (ExifTag)stale[i]);
  remove_tag(writer, EXIF_IFD_EXIF, EXIF_TAG_MAKER_NOTE);
}

int vf_exif_update(const uint8_t *tiff, size_t count, const vf_exif *exif, vf_buffer *result,
                   vf_failure *failure) {
  *result = (vf_buffer){0};
  int failed = check(exif, failure);
  if (failed)
    return failed;
  writer writer;
  if (begin(&writer) < 0) {
    end(&writer);
    return vf_fail(failure, ENOMEM, "EXIF", NULL);
  }
  int readable = load(&writer, tiff, count) > 0;
  if (readable) {
    remove_stale_tags(&writer);
    put_file_tags(&writer, exif);
    // The tags for time zones came with version 2.31.
    if (has_text(exif->date_time) && has_text(exif->offset_time))
      remove_tag(&writer, EXIF_IFD_EXIF, EXIF_TAG_EXIF_VERSION);
    complete(&writer, exif);
    failed = finish(&writer, result, failure);
  }
  int rewrite = !readable || failed == -EINVAL;
  end(&writer);
  return rewrite ? vf_exif_write(exif, result, failure) : failed;
}
