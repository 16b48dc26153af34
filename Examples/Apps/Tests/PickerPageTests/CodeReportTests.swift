import Foundation
import Testing
import Viewfinder
import ViewfinderPicker

@testable import ViewfinderPages

@Suite("What pages are sent of bar codes", .timeLimit(.minutes(5))) struct CodeReportTests {
  /// A picker that looks for codes of some kinds, and what its page gets.
  private static func picker(
    _ camera: SimulatedCamera? = nil, _ codeTypes: [MetadataObjectType]? = nil,
    script: @escaping @Sendable (ImagePicker) async throws -> Void = { _ in }
  ) -> ImagePicker {
    var configuration = ImagePicker.Configuration()
    configuration.sessionPreset = .inputPriority
    configuration.sourceTypes = [.camera]
    configuration.cameras = camera.map { [$0.device] } ?? []
    if let codeTypes { configuration.codeTypes = codeTypes }
    return ImagePicker(configuration, presenter: HeadlessPresenter(script))
  }

  /// Whether a page is told that codes are looked for, and what it gets of them.
  private static func sent(_ picker: ImagePicker) -> (Bool, [LiveReport.Code]?) {
    let report = PickerReport(picker.state, picker.configuration)
    return (report.readsCodes, PickerLive(picker).report.codes)
  }

  @Test("Nothing is sent where no codes are asked for, as by default")
  func unasked() throws {
    let picker = Self.picker()
    #expect(picker.configuration.codeTypes == [])
    let (readsCodes, codes) = Self.sent(picker)
    #expect(!readsCodes && codes == nil)
    let text = String(decoding: try JSONEncoder().encode(PickerLive(picker).report), as: UTF8.self)
    #expect(!text.contains("codes"))
  }

  @Test("Kinds that can't be read are as if nobody had asked for them")
  func unavailable() {
    let (readsCodes, codes) = Self.sent(
      Self.picker(nil, [MetadataObjectType(rawValue: "org.iso.PDF417")]))
    #expect(!readsCodes && codes == nil)
  }

  @Test("Where codes can be read, a page is told so, and gets an empty list before one is found")
  func asked() {
    let (readsCodes, codes) = Self.sent(Self.picker(nil, [.ean13]))
    #expect(readsCodes == ImagePicker.availableCodeTypes.contains(.ean13))
    #expect((codes?.isEmpty == true) == readsCodes)
  }

  @Test("A linear code is sent with what it says, a QR code without, and what says nothing isn't")
  func code() throws {
    let corners = [CGPoint(x: 0.25, y: 0.5), CGPoint(x: 0.5, y: 0.75)]
    let linear = try #require(LiveReport.Code(.code128, corners: corners, text: "A-17"))
    #expect(linear.type == "code128" && linear.text == "A-17")
    #expect(linear.corners == [[0.25, 0.5], [0.5, 0.75]])
    let secret = try #require(LiveReport.Code(.qr, corners: corners, text: "WIFI:P:secret;;"))
    #expect(secret.type == "qr" && secret.text == nil && secret.corners == linear.corners)
    #expect(LiveReport.Code(.qr, corners: corners, text: nil)?.type == "qr")
    #expect(LiveReport.Code(.code128, corners: corners, text: nil) == nil)
    #expect(LiveReport.Code(.code128, corners: corners, text: "") == nil)
  }

  @Test("All kinds that can be read have names for pages")
  func names() {
    for type in ImagePicker.availableCodeTypes {
      #expect(LiveReport.Code(type, corners: [], text: "1") != nil, "\(type)")
    }
  }

  @Test(
    "A code in the live picture is sent while it is there",
    .enabled(if: !ImagePicker.availableCodeTypes.isEmpty, "the trait Barcodes is off"))
  func found() async throws {
    let camera = try PickerHost.camera(.steady, Dimensions(width: 1280, height: 720))
    let unread = MetadataObjectType(rawValue: "org.iso.PDF417")
    let picker = Self.picker(camera, [unread, .ean13]) { picker in
      #expect(picker.metadataOutput.metadataObjectTypes == [.ean13])
      let (reports, end) = PickerLive(picker).watchReports()
      defer { end() }
      var codes: [LiveReport.Code] = []
      for await report in reports {
        codes = report.codes ?? []
        if !codes.isEmpty { break }
      }
      let code = try #require(codes.first)
      #expect(codes.count == 1 && code.type == "ean13" && code.text == "2914035827649")
      #expect(code.corners.count == 4)
      picker.metadataOutput.metadataObjectTypes = []
      for await report in reports where report.codes?.isEmpty == true { break }
    }
    _ = try await picker.pick()
  }
}
