import ErrorWords
import Foundation
import Viewfinder
import WebServing

/// How a camera and its live picture are doing: `/stats.json`.
public struct LiveReport: Codable, Sendable {
  /// What became of the camera's frames; see `CaptureStatistics`.
  public struct Frames: Codable, Sendable {
    /// Frames that the driver began.
    public var produced: Int
    /// Frames that were handed out.
    public var delivered: Int
    /// Frames that never arrived.
    public var lost: Int
    /// Frames that were damaged.
    public var corrupt: Int
    /// Frames dropped for want of a buffer.
    public var starved: Int
    /// Frames skipped for a newer one.
    public var late: Int
  }

  /// A card that is followed in the live picture.
  public struct Card: Codable, Sendable {
    /// The corners, clockwise, in units of the upright picture.
    public var corners: [[Double]]
    /// What keeps the picture from being good, such as "tooFar"; `nil` when it is.
    public var advice: String?
    /// For how much of the time that an automatic shutter waits the card has lain still, from 0 to 1.
    public var progress: Double
  }

  /// A bar code that is read in the live picture.
  public struct Code: Codable, Sendable {
    /// The corners, clockwise, in units of the upright picture; of a linear code, those of the part that was read.
    public var corners: [[Double]]
    /// The kind of code, such as "ean13".
    public var type: String
    /// What a linear code says; `nil` for QR codes, whose text is for programs and may be a secret.
    public var text: String?
  }

  /// What the camera does.
  public var state: LiveCamera.State
  /// The same in words, with what to do when there is no picture.
  public var message: String
  /// Names ``message`` for pages in other languages; `nil` while the camera runs.
  public var code: String?
  /// What the page's words for the code are about.
  public var values: [String: String]?
  /// The camera's name.
  public var camera: String?
  /// The layout, size and rate of its frames.
  public var format: String?
  /// Frames a second, as measured.
  public var framesPerSecond: Double
  /// What became of the frames.
  public var frames: Frames
  /// Visitors who watch at this moment.
  public var clients: Int
  /// Frames that were encoded for them.
  public var encodedFrames: Int
  /// The size of those, in bytes.
  public var encodedBytes: Int
  /// Frames that visitors took, each visitor's counted.
  public var sentFrames: Int
  /// The size of those, in bytes.
  public var sentBytes: Int
  /// The card in the picture; `nil` where there is none, or none is looked for.
  public var card: Card?
  /// The bar codes in the picture; `nil` where none are looked for, or none can be read.
  public var codes: [Code]?

  init(
    state: LiveCamera.State, words: ErrorWords, camera: String?, format: VideoFormat?,
    frames: CaptureStatistics, clients: Int, counts: LiveStream.Counts
  ) {
    self.state = state
    (message, code, values) = (words.message, words.code, words.values)
    self.camera = camera
    self.format = format?.description
    framesPerSecond = (frames.measuredFrameRate * 100).rounded() / 100
    self.frames = Frames(frames)
    self.clients = clients
    encodedFrames = counts.encodedFrames
    encodedBytes = counts.encodedBytes
    sentFrames = counts.sentFrames
    sentBytes = counts.sentBytes
  }

  static let starting = ErrorWords("The camera starts.", Coded("cameraStarts"))
  static let running = ErrorWords("The camera runs.")

  /// Why there is no picture at the moment.
  var error: WebError {
    WebError(.serviceUnavailable, ErrorWords(message, code.map { Coded($0, values ?? [:]) }))
  }
}

extension LiveReport.Frames {
  init(_ frames: CaptureStatistics) {
    self.init(
      produced: frames.producedFrames, delivered: frames.deliveredFrames, lost: frames.lostFrames,
      corrupt: frames.corruptFrames, starved: frames.starvedFrames, late: frames.lateFrames)
  }
}

extension LiveReport.Card {
  /// A card that waits for its photo as long as a shutter says.
  init(_ card: TrackedOutline, _ shutter: AutomaticShutter?) {
    corners = card.outline.quadrilateral.corners.map { [$0.x, $0.y] }
    advice = card.conditions.advice.first?.code
    let wanted = shutter?.steadyDuration ?? AutomaticShutter().steadyDuration
    progress = advice == nil ? min(card.steadyDuration / wanted, 1) : 0
  }
}

extension LiveReport.Code {
  init?(_ code: MetadataMachineReadableCodeObject) {
    self.init(code.type, corners: code.corners, text: code.stringValue)
  }

  /// A code; `nil` for one that has nothing to show.
  init?(_ type: MetadataObjectType, corners: [CGPoint], text: String?) {
    guard let name = Self.types[type], type == .qr || text?.isEmpty == false else { return nil }
    self.type = name
    self.corners = corners.map { [$0.x, $0.y] }
    self.text = type == .qr ? nil : text
  }

  private static let types: [MetadataObjectType: String] = [
    .ean13: "ean13", .ean8: "ean8", .upce: "upce", .code39: "code39", .code93: "code93",
    .code128: "code128", .interleaved2of5: "interleaved2of5", .codabar: "codabar",
    .gs1DataBar: "gs1DataBar", .gs1DataBarExpanded: "gs1DataBarExpanded", .qr: "qr",
  ]
}

extension OutlineAdvice {
  /// What pages call it; the words are theirs.
  fileprivate var code: String {
    switch self {
    case .cutOff: "cutOff"
    case .tooNear: "tooNear"
    case .tooFar: "tooFar"
    case .tooSlanted: "tooSlanted"
    case .tooDark: "tooDark"
    case .glare: "glare"
    case .lowContrast: "lowContrast"
    case .blurred: "blurred"
    }
  }
}
