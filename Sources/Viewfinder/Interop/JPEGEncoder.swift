import CViewfinder
import Foundation

/// Encodes JPEGs, several at a time; keeps tables and buffers from one picture to the next.
///
/// A large picture is cut into strips, which several cores encode and which are then joined: the file
/// is byte for byte the one that a single core makes.
final class JPEGEncoder: Sendable {
  /// Encoders that work on no strip now.
  private let idle = Mutex<[CoreEncoder]>([])

  /// How to encode.
  struct Options {
    /// IJG quality, 1 to 100.
    var quality: Int
    /// Restart markers per row of MCUs: an index for later crops.
    var restartsPerRow = 12
    var dotsPerInch = 0
    /// The payload of an Exif segment.
    var exif: Data?
    /// How many cores may work on the picture.
    ///
    /// One is right for streams: their frames keep the cores busy as they are.
    var cores = 1

    /// As many cores as a photo gets; found out once, since that reads files of the control group.
    static let coresOfPhoto = min(ProcessInfo.processInfo.activeProcessorCount, 8)
  }

  /// Encodes a picture.
  func encode(_ picture: Picture, _ options: Options) throws(CaptureError) -> Data {
    var image = unsafe picture.image
    var encodeOptions = unsafe vf_encode_options(options)
    let cores = max(options.cores, 1)
    let strips = unsafe [vf_image](unsafeUninitializedCapacity: cores) { strips, count in
      unsafe count = vf_encode_strips(&image, &encodeOptions, cores, strips.baseAddress!)
    }
    let count = unsafe strips.count
    let encoders = try take(count)
    defer { giveBack(encoders) }
    let work = unsafe StripWork(strips, encodeOptions, encoders)
    unsafe JPEGCodec.withSegments(exif: options.exif) { segments, segmentCount in
      unsafe work.setSegments(segments, segmentCount)
      Blocking.spread(count) { work.encode($0) }
    }
    var taken = unsafe try work.joined()
    return unsafe Data(taking: &taken)
  }

  private func take(_ count: Int) throws(CaptureError) -> [CoreEncoder] {
    var taken = idle.withLock { idle in
      defer { idle.removeLast(min(count, idle.count)) }
      return Array(idle.suffix(count))
    }
    while taken.count < count { taken.append(try CoreEncoder()) }
    return taken
  }

  /// Keeps as many as a photo needs.
  private func giveBack(_ encoders: [CoreEncoder]) {
    idle.withLock { idle in
      idle += encoders.prefix(max(Options.coresOfPhoto - idle.count, 0))
    }
  }
}

extension vf_encode_options {
  /// The options but for the metadata.
  init(_ options: JPEGEncoder.Options) {
    unsafe self.init()
    unsafe quality = UInt8(min(max(options.quality, 1), 100))
    unsafe restarts_per_row = UInt8(options.restartsPerRow)
    unsafe dots_per_inch = UInt16(clamping: options.dotsPerInch)
  }
}

/// The strips of a picture while they are encoded, each by an encoder of its own.
///
/// Nobody uses its pointers once the last strip is encoded.
@safe private final class StripWork: @unchecked Sendable {
  private let strips: [vf_image]
  /// Of the first strip, which has the metadata, and of the others.
  private var options: vf_encode_options
  private let otherOptions: vf_encode_options
  private let encoders: [CoreEncoder]
  private let errors: Mutex<[CaptureError?]>

  init(_ strips: [vf_image], _ options: vf_encode_options, _ encoders: [CoreEncoder]) {
    unsafe self.strips = unsafe strips
    unsafe self.options = unsafe options
    unsafe otherOptions = unsafe options
    self.encoders = encoders
    unsafe errors = Mutex(Array(repeating: nil, count: strips.count))
  }

  func setSegments(_ segments: UnsafePointer<vf_jpeg_segment>?, _ count: Int) {
    unsafe options.segments = segments
    unsafe options.segment_count = count
  }

  func encode(_ index: Int) {
    do throws(CaptureError) {
      _ = unsafe try encoders[index].encode(
        strips[index], index == 0 ? options : otherOptions, "the picture")
    } catch {
      errors.withLock { $0[index] = error }
    }
  }

  /// The whole picture, which the caller releases.
  func joined() throws(CaptureError) -> vf_buffer {
    for case .some(let error) in errors.withLock({ $0 }) { throw error }
    var others = unsafe encoders.dropFirst().map { unsafe $0.take() }
    defer {
      for index in unsafe others.indices { unsafe vf_buffer_free(&others[index]) }
    }
    var picture = unsafe encoders[0].take()
    var failure = unsafe vf_failure()
    guard
      unsafe others.isEmpty || vf_jpeg_join(&picture, others, others.count, &failure) == 0
    else {
      unsafe vf_buffer_free(&picture)
      throw unsafe failure.imageError("the picture")
    }
    return unsafe picture
  }
}
