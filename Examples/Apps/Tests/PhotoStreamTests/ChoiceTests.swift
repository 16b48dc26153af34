import Checksums
import ErrorWords
import FeedClient
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderLibrary

@testable import PhotoStream

@Suite("What the photo stream sends, and how long it has it", .serialized)
struct ChoiceTests {
  private let scene: StreamScene

  init() async throws { scene = try await StreamScene() }

  private func feed() throws -> FeedClient {
    FeedClient(
      url: try #require(URL(string: scene.server.process.address)), token: scene.server.token,
      feed: "photos")
  }

  private func photos() async throws -> [StreamPhoto] {
    try await feed().changes(since: nil).entries.compactMap { StreamRecord($0.json)?.photo }
  }

  /// A JPEG with what a camera writes: its name, and how it was held.
  private static func photo(
    by camera: String, _ size: Dimensions = Dimensions(width: 64, height: 48), seed: UInt8 = 0,
    orientation: UInt8 = 1
  ) throws -> Data {
    let name = Array(camera.utf8) + [0]
    // TIFF with Model (0x0110) and Orientation (0x0112).
    let model: [UInt8] = [0x10, 1, 2, 0, UInt8(name.count), 0, 0, 0, 38, 0, 0, 0]
    let turn: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    let head: [UInt8] = Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 2, 0]
    let content = head + model + turn + [0, 0, 0, 0] + name
    let segment: [UInt8] = [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
    // Noise takes room.
    let pixels = (0..<size.width * size.height).map { (place: Int) -> UInt8 in
      UInt8(truncatingIfNeeded: place / 500) &+ seed
        ^ UInt8(truncatingIfNeeded: place &* 2_654_435_761 >> 11) & 63
    }
    let jpeg = try PixelBuffer(pixelFormat: .grey, dimensions: size, data: Data(pixels)).jpegData()
    return Data(jpeg.prefix(2)) + Data(segment) + Data(jpeg.dropFirst(2))
  }

  private static let large = Dimensions(width: 3000, height: 400)

  // MARK: One camera

  @Test("Of a chosen camera all photos are sent, of others those alone that a person offers")
  func camera() async throws {
    let phone = try await scene.device("phone")
    var settings = phone.settings
    settings.camera = "Camera 1"
    let other = try Self.photo(by: "Camera 2", seed: 1)
    let asset = try await phone.library.save([PhotoResource(.data(other))])
    // As one that waited when the camera was chosen.
    let ledger = try StreamLedger(try await feed().account(), in: try made(phone.place))
    let stream = try PhotoStream(phone.library, settings, folder: phone.place)
    try await ledger.offer(try #require(try await stream.offer(asset)))
    let own = try Self.photo(by: "Camera 1")
    for photo in [own, try Self.photo(by: "Camera 3", seed: 2), try picture("none")] {
      try await phone.library.save([PhotoResource(.data(photo))])
    }
    try await phone.run(settings) { stream in
      try await wait("its photo") { stream.status.sent == 1 && stream.status.phase == .idle }
      #expect(try await photos().map(\.name) == [BlobName(of: own)])
      #expect(try await stream.offer([asset]) == 1)
    }
    try await phone.run(settings) { _ in
      try await wait("the other") { try await photos().count == 2 }
    }
    #expect(
      try await Set(photos().map(\.name)) == [BlobName(of: own), BlobName(of: other)])
  }

  private func made(_ folder: URL) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  // MARK: Smaller copies

  @Test("A smaller copy of a large photo is upright and says what the photo says, which stays")
  func smaller() async throws {
    let (phone, desk) = (try await scene.device("phone"), try await scene.device("desk"))
    var settings = phone.settings
    settings.sendsSmaller = true
    let large = try Self.photo(by: "Leaf 5", Self.large, orientation: 6)
    let small = try Self.photo(by: "Leaf 5", orientation: 6)
    let asset = try await phone.library.save([PhotoResource(.data(large))])
    try await phone.library.save([PhotoResource(.data(small))])
    try await phone.run(settings) { stream in
      try await wait("both") { stream.status.sent == 2 && stream.status.phase == .idle }
    }
    try await desk.run { stream in
      try await wait("both") { stream.status.received == 2 }
    }
    let came = try await desk.album()
    #expect(came.contains(small))
    let copy = try #require(came.first { $0 != small })
    #expect(copy.count < large.count)
    let all = try await desk.library.album(.recents).assets()
    for try await asset in all where try await asset.defaultRepresentation.data() == copy {
      #expect(asset.dimensions == Dimensions(width: 273, height: 2048))
      #expect(asset.orientation == .up && asset.camera == "Leaf 5")
    }
    #expect(try await asset.defaultRepresentation.data() == large)
    #expect(try await phone.count() == 2)
    let names = try await photos().map(\.fileName)
    #expect(names.contains(asset.fileName))
    // Nothing is left of it, and nothing goes or comes again.
    let outgoing = phone.place.appending(component: "outgoing")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outgoing.path).isEmpty)
    try await phone.run(settings) { stream in
      try await wait("rest") { stream.status.phase == .idle && stream.status.person != nil }
      #expect(stream.status.sent == 0 && stream.status.received == 0)
    }
    #expect(try await photos().count == 2)
  }

  @Test("A copy that waits is the same after another start, and goes with what waits for it")
  func waitingCopy() async throws {
    let phone = try await scene.device("phone")
    let large = try Self.photo(by: "Leaf 5", Self.large)
    let asset = try await phone.library.save([PhotoResource(.data(large))])
    var settings = phone.settings
    settings.sendsSmaller = true
    let stream = try PhotoStream(phone.library, settings, folder: phone.place)
    let offer = try #require(try await stream.offer(asset))
    let copy = try #require(try await stream.copy(of: asset, for: offer))
    #expect(copy.isCopy && copy.photo.name != offer.photo.name && copy.asset == asset.id)
    let again = try PhotoStream(phone.library, phone.settings, folder: phone.place)
    #expect(try await again.copy(of: asset, for: copy)?.photo == copy.photo)
    #expect(again.keptCopy(copy.photo.name).map(BlobName.init) == copy.photo.name)
    try again.forgetCopies(but: [copy])
    #expect(again.keptCopy(copy.photo.name) != nil)
    try again.forgetCopies(but: [offer])
    #expect(again.keptCopy(copy.photo.name) == nil)
  }

  @Test("Smaller copies of refused photos are sent when a person wants that, of large ones alone")
  func refused() async throws {
    let phone = try await scene.device("phone")
    let large = try Self.photo(by: "Leaf 5", Self.large)
    let small = try Self.photo(by: "Leaf 5")
    let ledger = try StreamLedger(try await feed().account(), in: try made(phone.place))
    let stream = try PhotoStream(phone.library, phone.settings, folder: phone.place)
    for photo in [large, small] {
      let asset = try await phone.library.save([PhotoResource(.data(photo))])
      let offer = try #require(try await stream.offer(asset))
      try await ledger.offer(offer)
      try await ledger.set(.refused, offer.photo.name, reason: ErrorWords("It is too large."))
    }
    #expect(try await stream.sendSmallerCopies() == 1)
    // Once is enough.
    #expect(try await stream.sendSmallerCopies() == 0)
    try await phone.run { stream in
      try await wait("the copy") { stream.status.sent == 1 }
      #expect(stream.status.problems.count == 1)
    }
    let photo = try #require(try await photos().first)
    #expect(photo.size < large.count && photo.type == "image/jpeg")
  }

  // MARK: How long

  @Test("How long the stream has photos is chosen for all devices; what is beyond leaves it")
  func retention() async throws {
    let (phone, desk) = (try await scene.device("phone"), try await scene.device("desk"))
    #expect(try await phone.settings.retention() == .standard)
    try await phone.run { stream in
      for name in ["a", "b", "c"] { try await phone.add(name) }
      try await wait("all") { stream.status.sent == 3 }
      try await desk.settings.setRetention(StreamRetention(photos: 1))
      #expect(try await phone.settings.retention() == StreamRetention(photos: 1))
      try await wait("the end of two") {
        // It may not have heard of all that it sent.
        stream.tidySoon()
        return try await photos().count == 1
      }
    }
    #expect(try await phone.count() == 3)
    // Programs of before pass the record over; servers see a record like any other.
    let records = try await feed().changes(since: nil).entries
    #expect(records.count { StreamRecord($0.json) == nil } == 1)
    try await phone.settings.setRetention(StreamRetention())
    try await phone.settings.setRetention(StreamRetention())
    #expect(try await desk.settings.retention() == StreamRetention())
  }

  @Test("A choice that a newer program made and this one can't read takes out nothing")
  func newerRetention() async throws {
    let phone = try await scene.device("phone")
    try await phone.settings.setRetention(StreamRetention(days: 1))
    let entry = try #require(try await feed().changes(since: nil).entries.first)
    let (id, text) = (try #require(entry.id), String(decoding: entry.json, as: UTF8.self))
    for newer in ["\"days\":0", "\"weeks\":\"two\",\"days\":\"some\""] {
      let present = try #require(try await feed().record(id))
      let json = Data(text.replacing("\"days\":1", with: newer).utf8)
      _ = try await feed().put(json, id: id, replacing: present.etag)
      #expect(try await phone.settings.retention() == StreamRetention())
    }
  }

  // MARK: The program

  private func program(_ arguments: [String]) throws -> (status: Int32, words: String) {
    let process = Process()
    process.executableURL = ServerProcess.folder.appending(component: "photo-stream")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PHOTO_STREAM_TOKEN": scene.server.token]
    ) { $1 }
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let words = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: words, as: UTF8.self))
  }

  @Test("The program takes the choices as options, and says what to do where they can't be")
  func options() async throws {
    let phone = try await scene.device("phone")
    try Self.photo(by: "Leaf 5").write(to: phone.pictures.appending(component: "leaf.jpg"))
    let folders = [
      "--root", phone.pictures.path, "--data", phone.place.path,
      "--index", phone.folder.appending(component: "index").path,
    ]
    func run(_ arguments: String...) throws -> (status: Int32, words: String) {
      try program(arguments + folders)
    }
    let wrong = try run("join", scene.server.process.address, "--camera", "Leaf")
    #expect(wrong.status != 0 && wrong.words.contains("Give one of these to --camera: “Leaf 5”."))
    let joined = try run(
      "join", scene.server.process.address, "--camera", "Leaf 5", "--smaller", "--without-place")
    #expect(joined.status == 0, "\(joined.words)")
    let settings = try #require(StreamSettings(in: phone.place))
    #expect(settings.camera == "Leaf 5" && settings.sendsSmaller && settings.leavesPlaceOut)
    #expect(try run("keep").words == "The stream has the newest 1000 photos, each for 30 days.\n")
    #expect(
      try run("keep", "--days", "90").words == "The stream has each photo for 90 days.\n")
    #expect(try run("keep", "--days", "0").words.contains("--days is a number from 1 to 36500"))
    #expect(
      try run("keep", "--always", "--days", "9").words.contains("leave out --days and --photos"))
    #expect(try run("keep", "--always").status == 0)
    #expect(try await settings.retention() == StreamRetention())
  }

  @Test("Settings that were kept before there were these choices send all photos as they are")
  func settingsOfBefore() throws {
    let json =
      #"{"url":"http://127.0.0.1:9","token":"t","device":"d","since":0,"fetchesAll":true}"#
    let settings = try JSONDecoder().decode(StreamSettings.self, from: Data(json.utf8))
    #expect(settings.camera == nil && !settings.sendsSmaller && !settings.leavesPlaceOut)
  }
}
