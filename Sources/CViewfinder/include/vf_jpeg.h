#ifndef VF_JPEG_H
#define VF_JPEG_H

#include "vf_image.h"

#pragma clang assume_nonnull begin

/// What is known of a JPEG picture from its markers, without decoding it.
typedef struct vf_jpeg_info {
  /// Width and height as stored, in pixels.
  uint32_t width, height;
  /// 1 grey, 3 YCbCr or RGB, 4 CMYK or YCCK.
  uint8_t components;
  /// Sampling factors of the first component relative to the second: (2, 2) is 4:2:0, (2, 1) is
  /// 4:2:2. (1, 1) for grey.
  uint8_t horizontal_sampling, vertical_sampling;
  /// The SOF marker's low byte, such as 0xC0 (baseline) or 0xC2 (progressive).
  uint8_t process;
  /// MCUs between restart markers, or 0.
  uint16_t restart_interval;
  /// Whether the scan's Huffman tables are there; a UVC camera may leave them out.
  uint8_t has_huffman_tables;
  /// Whether an end marker was found. A picture cut short has none, and some cameras leave it out.
  uint8_t has_end;
  /// Bytes from the start marker through the end marker, or through the last scan's data where only
  /// the marker is missing: the picture without the padding that cameras append.
  size_t length;
  /// Where the first scan's marker (SOS) is, which the metadata and tables come before; 0: nowhere.
  size_t scan_offset;
  /// Where the TIFF data of the Exif APP1 segment starts in the bytes (past "Exif\0\0"), and its
  /// length; 0 when there is none.
  size_t exif_offset, exif_length;
} vf_jpeg_info;

/// Walks the picture marker by marker: SOI, segment lengths, one SOF with a possible size, SOS,
/// entropy-coded data with only stuffed zeros and RSTn inside, EOI.
///
/// 0 when it is whole, or lacks only what `vf_jpeg_rewrite` can add: Huffman tables, and EOI where
/// the last scan has all its MCUs (baseline and extended pictures, whose codes are read then; in
/// others a missing EOI is damage). Fails with `EBADMSG` when it is damaged: `detail` says what,
/// and `info` is still filled as far as the walk came. Never reads past `count`; takes time in
/// proportion to `count`.
///
/// What lies between the markers isn't looked at otherwise: restart markers must be as many as the
/// size has and in order, but codes that were damaged are found by `vf_jpeg_verify` alone.
int vf_jpeg_inspect(const uint8_t *bytes, size_t count, vf_jpeg_info *info, vf_failure *failure);

/// The same, and reads all codes of the scans of a baseline or extended picture: each must be
/// possible, and together they must be the MCUs that the size has. Finds most bytes that were
/// changed or lost on the way, not those that happen to be other codes of the same length. Takes
/// some two thirds of the time of decoding, a hundred times `vf_jpeg_inspect`'s.
int vf_jpeg_verify(const uint8_t *bytes, size_t count, vf_jpeg_info *info, vf_failure *failure);

/// A metadata segment.
typedef struct vf_jpeg_segment {
  /// The marker's low byte: 0xE0 to 0xEF (APPn) or 0xFE (COM).
  uint8_t marker;
  /// The payload, without marker and length: at most 65 533 bytes. Exif starts with "Exif\0\0".
  const uint8_t *bytes;
  size_t count;
} vf_jpeg_segment;

/// A copy of a JPEG picture with other metadata; the picture itself stays byte for byte as it is.
///
/// `segments` go right after SOI (JFIF APP0, where kept, comes after an Exif APP1 as DCF files have
/// it). Segments of the source with the same marker and identifier are left out, as is an `AVI1`
/// APP0; missing Huffman tables are added (JPEG K.3.3), bytes after EOI are left out, a missing EOI
/// is added. The caller releases `result` with `vf_buffer_free`.
///
/// `info` is what `vf_jpeg_inspect` told of these very bytes: nothing but the metadata and tables
/// is walked then. NULL has the picture inspected here. A damaged picture is copied as far as it
/// goes, if it has a frame header and a scan; else it fails with `EBADMSG`.
int vf_jpeg_rewrite(const uint8_t *bytes, size_t count, const vf_jpeg_info *_Nullable info,
                    const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                    vf_buffer *result, vf_failure *failure);

/// A JPEG file in three parts, one after the other.
typedef struct vf_jpeg_parts {
  /// SOI, metadata, tables and the first scan's header. Released with `vf_buffer_free`.
  vf_buffer header;
  /// Where the scans lie in the source, and how many bytes they have.
  size_t scan_offset, scan_count;
  /// EOI, and how many bytes of it the file needs: 2 where the source has none, else 0.
  uint8_t end[2];
  size_t end_count;
} vf_jpeg_parts;

/// The same file as `vf_jpeg_rewrite`'s, without a copy of the scans: `writev` puts it together.
int vf_jpeg_rewrite_in_parts(const uint8_t *bytes, size_t count, const vf_jpeg_info *_Nullable info,
                             const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                             vf_jpeg_parts *result, vf_failure *failure);

/// How to encode.
typedef struct vf_encode_options {
  /// IJG quality, 1 to 100.
  uint8_t quality;
  /// The picture's chroma: 0 as the source has it (RGB: 4:2:0), else 444, 422 or 420.
  uint16_t subsampling;
  /// Restart markers per MCU row, an index into the picture for crops and several cores: the
  /// nearest number that divides the row's MCUs is taken. 0: none. Viewfinder's own files use 12.
  uint8_t restarts_per_row;
  /// Resolution in the JFIF header, in dots per inch; 0 leaves the aspect ratio 1:1 without a unit.
  uint16_t dots_per_inch;
  /// Metadata that go right after SOI, before the JFIF header, or NULL.
  const vf_jpeg_segment *_Nullable segments;
  size_t segment_count;
} vf_encode_options;

/// A JPEG encoder that is used again and again: tables and buffers stay.
///
/// Calls on one encoder must not overlap.
typedef struct vf_encoder vf_encoder;

/// Makes an encoder. The caller releases it with `vf_encoder_destroy`.
vf_encoder *_Nullable vf_encoder_create(vf_failure *failure);

/// Releases the encoder and its last result. Accepts NULL.
void vf_encoder_destroy(vf_encoder *_Nullable encoder);

/// Encodes an image of any uncompressed layout as baseline JPEG (JFIF), plane by plane: no RGB in
/// between, no resampling that the chosen subsampling doesn't ask for, one MCU row at a time.
/// Limited range is widened on the way. Alpha is ignored.
///
/// `*bytes` belongs to the encoder and holds until its next call.
int vf_encoder_encode(vf_encoder *encoder, const vf_image *image, const vf_encode_options *options,
                      const uint8_t *_Nullable *_Nonnull bytes, size_t *count, vf_failure *failure);

/// Takes the last result out of the encoder, which makes new memory for its next one: for a picture
/// that is kept, no copy. Empty when there is none. The caller releases it with `vf_buffer_free`.
vf_buffer vf_encoder_take(vf_encoder *encoder);

/// Cuts an image into strips that several encoders can encode at a time, one each: at most
/// `wanted`, which isn't 0. Returns how many views of the image it put into `strips`, from top to
/// bottom.
///
/// Encoded with the same options and joined by `vf_jpeg_join`, they give byte for byte what the
/// whole image gives. It stays whole without restart markers, when its chroma has to become finer,
/// and when strips would have less than half a million pixels: those are encoded before another
/// core is awake.
size_t vf_encode_strips(const vf_image *image, const vf_encode_options *options, size_t wanted,
                        vf_image *strips);

/// Joins the strips that `vf_encode_strips` told of: `picture`, the first of them, grows by the
/// data of the others; their headers and metadata are left out. Fails with `EINVAL` for what isn't
/// a strip of our encoder's, and with `ENOMEM`; `picture` is as it was then.
int vf_jpeg_join(vf_buffer *picture, const vf_buffer *_Nullable others, size_t count,
                 vf_failure *failure);

/// How to decode.
typedef struct vf_decode_options {
  /// The picture's scale in eighths: 1, 2, 4 or 8. 0 stands for 8, full size. Results are rounded
  /// up.
  uint8_t scale;
  /// The part to decode, in stored pixels of the picture at its scale; a width of 0 stands for all.
  /// Exact to the pixel.
  uint32_t x, y, width, height;
  /// Whether chroma stays as coarse as it is stored when the picture is scaled down. Otherwise it
  /// gets finer where that costs nothing: a half of 4:2:0 is 4:4:4.
  uint8_t keeps_subsampling;
  /// Pictures with more pixels fail with `EFBIG` before memory is taken. 0 stands for 200 million.
  uint64_t pixel_limit;
} vf_decode_options;

/// Decodes to a planar image: `VF_GREY`, `VF_I420`, `VF_I422`, `VF_I440`, `VF_I411` or `VF_I444`,
/// as the picture is stored; RGB, CMYK and unusual sampling become `VF_I444`. Missing Huffman
/// tables are no obstacle. Full range.
///
/// The coefficients of a picture in several scans (progressive) are held packed. Those of a small
/// picture or a part take at most 160 MiB, less where the file has more than 100 MiB; of the whole,
/// at most 384 MiB. One that needs more fails with `EFBIG`.
///
/// `*warnings`, where given, receives the number of libjpeg's warnings: not 0 when the data was
/// damaged or cut short and part of the picture may be wrong or grey. The caller releases `result`
/// with `vf_image_free`.
int vf_jpeg_decode(vf_image *result, const uint8_t *bytes, size_t count,
                   const vf_decode_options *_Nullable options, uint32_t *_Nullable warnings,
                   vf_failure *failure);

/// Whether this library is compiled with optimisation.
///
/// Without it, libjpeg, which has it, decodes several times as fast, and `vf_jpeg_decode` leaves to
/// it what becomes the same; bands aren't worth their while then.
int vf_jpeg_is_optimized(void);

/// How many bands of a picture several cores may decode side by side, and the image that these go
/// to.
///
/// Restart markers lead each core to its band, so a picture without them is one band, as is one
/// that isn't baseline in one scan, a small one, and a part that begins between chroma samples:
/// `*bands` is 1 then, and `result` empty. Else it has up to `most`, and `vf_jpeg_decode_band`
/// fills each. The caller releases `result` with `vf_image_free`.
///
/// Fails as `vf_jpeg_decode` does.
int vf_jpeg_decode_bands(vf_image *result, const uint8_t *bytes, size_t count,
                         const vf_decode_options *_Nullable options, uint32_t most, uint32_t *bands,
                         vf_failure *failure);

/// Decodes band number `band`, from 0, of `bands` into the image that `vf_jpeg_decode_bands` made
/// for the same bytes and options: the samples are `vf_jpeg_decode`'s. Bands may be decoded at the
/// same time.
///
/// Fails with `EBADMSG` where the band is damaged; `vf_jpeg_decode` makes the best of it.
int vf_jpeg_decode_band(const vf_image *image, const uint8_t *bytes, size_t count,
                        const vf_decode_options *_Nullable options, uint32_t band, uint32_t bands,
                        vf_failure *failure);

/// Where the edges of a lossless crop lie.
#define VF_ALIGNED_TO_MCU 0u      ///< Left and top at an MCU; right and bottom where they shall be.
#define VF_ALIGNED_TO_RESTARTS 1u ///< All four where restart intervals begin.

/// A part of a JPEG picture, itself a JPEG picture.
typedef struct vf_jpeg_crop {
  /// The caller releases it with `vf_buffer_free`.
  vf_buffer picture;
  /// The part that it shows, in stored pixels: what was asked for, and up to an MCU or a restart
  /// interval more on a side.
  vf_rectangle rectangle;
  /// `VF_ALIGNED_TO_…`: where its edges lie indeed.
  uint32_t alignment;
} vf_jpeg_crop;

/// A part of a JPEG picture without any loss: its coefficients stay as they are. Edges move
/// outwards to where `alignment` says.
///
/// A picture that has restart markers which divide its rows of MCUs into equal parts, or come after
/// whole rows, is an index into itself: with `VF_ALIGNED_TO_RESTARTS` the intervals that the part
/// touches are copied, and nothing is decoded. Pictures without such markers, and those that aren't
/// baseline in one scan, are aligned to MCUs, which `result->alignment` tells; the latter become
/// baseline pictures. Restart markers stay about as many a row as there were.
///
/// Segments are as in `vf_jpeg_rewrite`. Fails with `EINVAL` when the part isn't inside the
/// picture, and with `EBADMSG` when what must be read of the picture is damaged.
int vf_jpeg_crop_losslessly(vf_jpeg_crop *result, const uint8_t *bytes, size_t count,
                            const vf_rectangle *part, uint32_t alignment,
                            const vf_jpeg_segment *_Nullable segments, size_t segment_count,
                            vf_failure *failure);

#pragma clang assume_nonnull end

#endif
