#if HEIF
  import CLibHEIF
  import Foundation
  import Viewfinder

  /// HEIC and AVIF pictures, by libheif, which turns them upright itself.
  enum HEIFDecoder {
    /// The most pixels that are decoded for a box, as libheif holds them all.
    private static let pixelLimit = 50_000_000

    /// Decodes a file's main picture; for a box, a thumbnail in the file that is large enough, unless the main
    /// picture itself is wanted.
    static func decode(
      _ data: Data, fitting box: Dimensions?, usesThumbnails: Bool = true
    ) throws(CaptureError) -> PixelBuffer {
      try unsafe data.withBytes { bytes throws(CaptureError) in
        let file = try unsafe File(bytes)
        let main = try file.mainPicture()
        guard let box else { return try main.decoded(to: main.dimensions) }
        let size = main.dimensions.fitted(into: box)
        let picture = usesThumbnails ? main.smallest(for: size) : main
        let dimensions = picture.dimensions
        guard dimensions.area <= pixelLimit else {
          throw .unsupportedImage(
            what: "the picture",
            reason: "\(dimensions.width) x \(dimensions.height) pixels of HEIF take too much memory"
          )
        }
        return try picture.decoded(to: size)
      }
    }

    fileprivate static func check(_ error: heif_error) throws(CaptureError) {
      let what = "the picture"
      guard unsafe error.code != heif_error_Ok else { return }
      let reason = unsafe error.message.map { unsafe String(cString: $0) } ?? "it can't be decoded"
      switch unsafe error.code {
      case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
        throw .unsupportedImage(what: what, reason: "libheif says: \(reason)")
      case heif_error_Memory_allocation_error:
        throw .unsupportedImage(what: what, reason: "it takes too much memory")
      default: throw .badImageData(what: what, reason: "libheif says: \(reason)")
      }
    }
  }

  /// An open file; its bytes must outlive it.
  @safe private final class File {
    private let context: OpaquePointer

    init(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
      guard let context = unsafe heif_context_alloc() else {
        throw .system(call: "heif_context_alloc", code: ENOMEM, subject: "the picture")
      }
      unsafe self.context = unsafe context
      try unsafe HEIFDecoder.check(
        heif_context_read_from_memory_without_copy(
          context, bytes.baseAddress, bytes.count, nil))
    }

    deinit { unsafe heif_context_free(context) }

    func mainPicture() throws(CaptureError) -> HEIFPicture {
      var handle: OpaquePointer?
      try unsafe HEIFDecoder.check(heif_context_get_primary_image_handle(context, &handle))
      guard let handle = unsafe handle else {
        throw .badImageData(what: "the picture", reason: "it has no main picture")
      }
      return unsafe HEIFPicture(handle)
    }
  }

  /// One of a file's pictures.
  @safe private final class HEIFPicture {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit { unsafe heif_image_handle_release(handle) }

    var dimensions: Dimensions {
      unsafe Dimensions(
        width: Int(heif_image_handle_get_width(handle)),
        height: Int(heif_image_handle_get_height(handle)))
    }

    /// The smallest of the picture and its thumbnails that is no smaller than `size`.
    func smallest(for size: Dimensions) -> HEIFPicture {
      thumbnails.filter { $0.dimensions.width >= size.width && $0.dimensions.height >= size.height }
        .min { $0.dimensions.area < $1.dimensions.area } ?? self
    }

    private var thumbnails: [HEIFPicture] {
      var ids = [heif_item_id](repeating: 0, count: 16)
      let count = unsafe heif_image_handle_get_list_of_thumbnail_IDs(handle, &ids, 16)
      return ids.prefix(Int(max(count, 0))).compactMap { id in
        var thumbnail: OpaquePointer?
        let error = unsafe heif_image_handle_get_thumbnail(handle, id, &thumbnail)
        guard unsafe error.code == heif_error_Ok, let thumbnail = unsafe thumbnail else {
          return nil
        }
        return unsafe HEIFPicture(thumbnail)
      }
    }

    /// The pixels, 8 bits each whatever the file has, scaled down to a size.
    func decoded(to size: Dimensions) throws(CaptureError) -> PixelBuffer {
      let hasAlpha = unsafe heif_image_handle_has_alpha_channel(handle) != 0
      let options = unsafe heif_decoding_options_alloc()
      defer { unsafe heif_decoding_options_free(options) }
      unsafe options?.pointee.convert_hdr_to_8bit = 1
      var image: OpaquePointer?
      try unsafe HEIFDecoder.check(
        heif_decode_image(
          handle, &image, heif_colorspace_RGB,
          hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options))
      defer { unsafe heif_image_release(image) }
      var stride: Int32 = 0
      let plane = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
      let whole = unsafe Dimensions(
        width: Int(heif_image_get_width(image, heif_channel_interleaved)),
        height: Int(heif_image_get_height(image, heif_channel_interleaved)))
      guard let plane = unsafe plane, whole.width > 0, whole.height > 0,
        Int(stride) >= whole.width * (hasAlpha ? 4 : 3)
      else { throw .badImageData(what: "the picture", reason: "it has no pixels") }
      let shrinker = try PictureShrinker(
        hasAlpha ? .rgba32 : .rgb24, from: whole, to: whole.fitted(into: size))
      for y in 0..<whole.height {
        unsafe shrinker.add(
          UnsafeRawBufferPointer(start: plane + y * Int(stride), count: Int(stride)))
      }
      return try shrinker.picture()
    }
  }
#endif
