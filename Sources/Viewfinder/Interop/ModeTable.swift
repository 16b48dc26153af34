import CViewfinder

/// What a camera offers, as the driver listed it.
struct ModeTable: Sendable {
  private let rows: [vf_mode]

  init(_ grabber: Grabber) throws(CaptureError) { rows = try grabber.modes() }

  /// One format for each layout and size, in the driver's order.
  var formats: [CaptureDevice.Format] {
    struct Key: Hashable {
      let fourcc: UInt32
      let width: UInt32
      let height: UInt32
    }
    var order: [Key] = []
    var groups: [Key: [vf_mode]] = [:]
    for row in rows {
      let key = Key(fourcc: row.fourcc, width: row.max_width, height: row.max_height)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(row)
    }
    return order.map { CaptureDevice.Format(groups[$0]!) }
  }

  /// A row's exact format and rate, ready for the driver.
  struct Choice: Sendable {
    let format: vf_format

    var description: String { VideoFormat(format).description }
    /// In pixels.
    fileprivate var area: Int { Int(format.width) * Int(format.height) }
    fileprivate var load: Int { PixelFormat(rawValue: format.fourcc).load }
    /// Whether it is what was wished for.
    func satisfies(_ wanted: StreamFormat) -> Bool {
      let chosen = VideoFormat(format)
      return (wanted.pixelFormat ?? chosen.pixelFormat) == chosen.pixelFormat
        && (wanted.dimensions ?? chosen.dimensions) == chosen.dimensions
    }
  }

  /// The best that the camera can do for a wish; `nil` when it has nothing that can be read.
  func choose(_ wanted: StreamFormat) -> Choice? {
    Grabber.choose(rows, for: wanted).map(Choice.init)
  }

  /// What takes less bandwidth than a choice, the largest first: for each size the layout that takes
  /// least.
  func lighter(than choice: Choice) -> [Choice] {
    let interval = VideoFormat(choice.format).frameInterval
    let sizes = Set(formats.map(\.dimensions)).filter { $0.area <= choice.area }
    return sizes.sorted { $0.area > $1.area }.compactMap { size in
      let lightest = formats.filter { $0.dimensions == size }
        .min { $0.pixelFormat.load < $1.pixelFormat.load }
      guard let lightest, size.area < choice.area || lightest.pixelFormat.load < choice.load else {
        return nil
      }
      return choose(
        StreamFormat(
          pixelFormat: lightest.pixelFormat, dimensions: size, interval: interval))
    }
  }

  /// The format that a choice is of.
  func format(of choice: Choice) -> CaptureDevice.Format? {
    let chosen = VideoFormat(choice.format)
    let sameLayout = formats.filter { $0.pixelFormat == chosen.pixelFormat }
    return sameLayout.first { $0.dimensions == chosen.dimensions }
      ?? sameLayout.lazy.compactMap { $0.resized(to: chosen.dimensions) }.first
  }
}

extension StreamFormat: CustomStringConvertible {
  var description: String {
    let parts = [
      pixelFormat?.description, dimensions?.description,
      interval.map { "at \(formattedRate($0.frameRate)) frames/s" },
    ].compactMap { $0 }
    return parts.isEmpty ? "a format that Viewfinder reads" : parts.joined(separator: " ")
  }
}

extension CaptureDevice.Format {
  /// The format that rows of one layout and size make.
  fileprivate init(_ rows: [vf_mode]) {
    let first = rows[0]
    pixelFormat = PixelFormat(rawValue: first.fourcc)
    dimensions = Dimensions(width: Int(first.max_width), height: Int(first.max_height))
    localizedName = text(of: first.description)
    isEmulated = first.flags & 2 != 0
    let minimum = Dimensions(width: Int(first.min_width), height: Int(first.min_height))
    dimensionRange =
      minimum == dimensions
      ? nil
      : CaptureDevice.DimensionRange(
        minimum: minimum, maximum: dimensions,
        step: Dimensions(width: Int(first.width_step), height: Int(first.height_step)))
    videoSupportedFrameRateRanges = rows.compactMap { row in
      guard let shortest = FrameInterval(row.min_interval),
        let longest = FrameInterval(row.max_interval)
      else { return nil }
      return CaptureDevice.FrameRateRange(minFrameDuration: shortest, maxFrameDuration: longest)
    }.sorted { $0.maxFrameRate < $1.maxFrameRate }
  }
}
