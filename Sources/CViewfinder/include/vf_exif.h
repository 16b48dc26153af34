#ifndef VF_EXIF_H
#define VF_EXIF_H

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// What Viewfinder states about a photo (EXIF 2.32, CIPA DC-008). Strings are UTF-8,
/// NUL-terminated; NULL or 0 leaves a tag out, except where a comment says otherwise. Nothing is
/// invented: what the camera didn't say is left out.
typedef struct vf_exif {
  /// Make 0x010F, Model 0x0110, Software 0x0131.
  const char *_Nullable make, *_Nullable model, *_Nullable software;
  /// Orientation 0x0112, 1 to 8; 0 is written as 1.
  uint16_t orientation;
  /// PixelXDimension 0xA002 and PixelYDimension 0xA003: as stored, before orientation.
  uint32_t width, height;
  /// XResolution, YResolution in dots per inch; 0 is written as 72.
  uint32_t dots_per_inch;
  /// "YYYY:MM:DD HH:MM:SS", local: DateTimeOriginal 0x9003 and DateTimeDigitized 0x9004 (the
  /// frame's time), and DateTime 0x0132 (when the file was written).
  const char *_Nullable date_time_original, *_Nullable date_time;
  /// "±HH:MM", local time minus UTC at each of the two dates: OffsetTimeOriginal 0x9011 and
  /// OffsetTimeDigitized 0x9012, and OffsetTime 0x9010. They differ across a change of the clocks.
  const char *_Nullable offset_time_original, *_Nullable offset_time;
  /// Digits: SubSecTimeOriginal 0x9291, SubSecTimeDigitized 0x9292 and SubSecTime 0x9290.
  const char *_Nullable sub_sec_original, *_Nullable sub_sec;
  /// ExposureTime 0x829A, in seconds as a fraction; denominator 0: unknown.
  uint32_t exposure_time_numerator, exposure_time_denominator;
  /// PhotographicSensitivity 0x8827 (ISO).
  uint16_t iso;
  /// ExposureMode 0xA402: 1 + the tag's value (1 auto, 2 manual). WhiteBalance 0xA403: likewise.
  uint8_t exposure_mode, white_balance;
  /// ImageUniqueID 0xA420: 32 hexadecimal digits.
  const char *_Nullable unique_id;
  /// YCbCrPositioning 0x0213: 1 centred, 2 co-sited; 0 is written as 1.
  uint16_t ycbcr_positioning;
  /// A JPEG thumbnail for the 1st IFD (DCF: 160 × 120), or NULL.
  const uint8_t *_Nullable thumbnail;
  size_t thumbnail_count;
} vf_exif;

/// The payload of an Exif APP1 segment ("Exif\0\0" and TIFF data, at most 65 533 bytes: a thumbnail
/// that doesn't fit is left out), with ExifVersion, ComponentsConfiguration, FlashpixVersion,
/// ColorSpace and the Interop IFD. Release with `vf_buffer_free`.
int vf_exif_write(const vf_exif *exif, vf_buffer *result, vf_failure *failure);

/// The payload that the re-encoded picture of another file gets: everything that `tiff` (TIFF data,
/// as `vf_jpeg_info` locates it) says, with `exif`'s orientation, width and height, software,
/// DateTime and thumbnail in their place; an old thumbnail goes. MakerNote is dropped (its offsets
/// would lie). When `tiff` can't be read, the result is `vf_exif_write`'s.
int vf_exif_update(const uint8_t *tiff, size_t count, const vf_exif *exif, vf_buffer *result,
                   vf_failure *failure);

/// A place on Earth (WGS 84).
typedef struct vf_exif_position {
  /// Degrees north, -90 to 90, and degrees east, -180 to 180.
  double latitude, longitude;
  /// Metres above the sea, within 4,000,000; only with `has_altitude`.
  double altitude;
  uint8_t has_altitude;
} vf_exif_position;

/// Tags to put in place of a photo's own. Strings are UTF-8, NUL-terminated. NULL or 0 leaves a tag
/// as it is; an empty text takes it out.
typedef struct vf_exif_changes {
  /// ImageDescription 0x010E, Artist 0x013B, Copyright 0x8298.
  const char *_Nullable image_description, *_Nullable artist, *_Nullable copyright;
  /// Orientation 0x0112, 1 to 8.
  uint16_t orientation;
  /// DateTimeOriginal 0x9003 ("YYYY:MM:DD HH:MM:SS", local) with what belongs to it:
  /// OffsetTimeOriginal 0x9011 ("±HH:MM") and SubSecTimeOriginal 0x9291 (digits), which go where a
  /// date comes without them.
  const char *_Nullable date_time_original, *_Nullable offset_time_original;
  const char *_Nullable sub_sec_original;
  /// GPSVersionID to GPSAltitude and GPSMapDatum, tags 0 to 6 and 0x12. What tells how the old
  /// position was measured (satellites, precision, method, area) goes.
  const vf_exif_position *_Nullable position;
  /// PixelXDimension 0xA002 and PixelYDimension 0xA003, as stored: only for data that are new.
  uint32_t width, height;
} vf_exif_changes;

/// TIFF data with the changes, all other bytes where they were: other tags, thumbnail and MakerNote
/// (whose offsets count from the data's beginning) stay whole. What has become longer goes to the
/// end; no old value that was replaced is left behind. When `tiff` can't be read, the result is
/// `vf_exif_write`'s, with the changes. Release with `vf_buffer_free`.
int vf_exif_merge(const uint8_t *_Nullable tiff, size_t count, const vf_exif_changes *changes,
                  vf_buffer *result, vf_failure *failure);

/// The orientation, 1 to 8, that TIFF data states; 1 when it states none, or one out of range, or
/// is damaged.
uint32_t vf_exif_orientation(const uint8_t *tiff, size_t count);

#pragma clang assume_nonnull end

#endif
