import AsyncHTTPClient
import Foundation
import NIOCore
import ServerSupport
import Testing
import Viewfinder

@testable import CardExchange

@Suite("Files larger than memory", .serialized) struct LargeFileTests {
  private static let cards = 40
  /// What the program may hold at most, in bytes; the file is larger.
  private static let memory = 160 << 20

  @Test(
    "A wallet larger than memory comes in and goes out, and the program ends when asked meanwhile")
  func large() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-large-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "cards.zip")
    try makeFile(file)
    let process = try await ServerProcess("my-cards", ["--simulate", "--data", folder.path])
    let wallet = Wallet(process.address)

    #expect(try await wallet.send(file) == 200)
    try await wait("the end of the import") { try await wallet.count() == Self.cards }
    let size = try await wallet.export { _ in true }
    print("\(size >> 20) MB; the program held \(process.peakMemory >> 20) MB at most")
    #expect(size > Self.memory)
    #expect(process.peakMemory < Self.memory)
    // A visitor who takes a part of it isn't waited for.
    _ = try await wallet.export { $0 < 1 << 20 }
    #expect(await process.end() == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix("import-") })
  }

  @Test(
    "A photo of 144 megapixels in an import is made as small as the others, in little memory",
    arguments: ["jpg", "png"])
  func hugePicture(kind: String) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-huge-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "cards.zip")
    try makeFile(file, with: Self.hugePicture(kind))
    let process = try await ServerProcess("my-cards", ["--no-camera", "--data", folder.path])
    let wallet = Wallet(process.address)
    let before = process.peakMemory
    #expect(try await wallet.send(file) == 200)
    try await wait("the end of the import") { try await wallet.count() == 1 }
    let grown = process.peakMemory - before
    print("144 megapixels of \(kind): the program held \(grown >> 20) MB more at most")
    #expect(grown < 300 << 20)
    let pictures = try FileManager.default.contentsOfDirectory(
      at: folder.appending(component: "pictures"), includingPropertiesForKeys: nil)
    let picture = try PixelBuffer(decoding: Data(contentsOf: try #require(pictures.first)))
    #expect(picture.dimensions == CardPhoto.cardBox)
    #expect(await process.end() == 0)
  }

  /// A picture of one grey, as wide and high as those of the largest cameras are wide.
  private static func hugePicture(_ kind: String) throws -> Data {
    let size = Dimensions(width: 12_000, height: 12_000)
    let grey = try PixelBuffer(
      pixelFormat: .grey, dimensions: size,
      data: Data(repeating: 120, count: size.width * size.height))
    return try kind == "png" ? grey.pngData() : grey.jpegData()
  }

  /// An export of Catima's of one card, with a photo of its front.
  private func makeFile(_ file: URL, with picture: Data) throws {
    let zip = try ZipWriter()
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let table = Data("_id,store\r\n1,Card\r\n".utf8)
    let parts = [
      try zip.add("catima.csv", table, date: date),
      try zip.add("card_1_front.png", picture, date: date), try zip.end(),
    ]
    try parts.reduce(Data(), +).write(to: file)
  }

  /// An export of Catima's, whose photos are noise, which no program makes smaller.
  private func makeFile(_ file: URL) throws {
    var random = SystemRandomNumberGenerator()
    let size = Dimensions(width: 1280, height: 808)
    let words = (0..<size.width * size.height * 3 / 8).map { _ in random.next() as UInt64 }
    let noise = try PixelBuffer(
      pixelFormat: .rgb24, dimensions: size, data: words.withUnsafeBytes { Data($0) })
    let png = try noise.pngData()
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let zip = try ZipWriter()
    let rows = (1...Self.cards).map { "\($0),Card \($0),\($0)\r\n" }.joined()
    let table = Data("_id,store,cardid\r\n\(rows)".utf8)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try handle.write(contentsOf: zip.add("catima.csv", table, date: date))
    for card in 1...Self.cards {
      for side in ["front", "back"] {
        try handle.write(contentsOf: zip.add("card_\(card)_\(side).png", png, date: date))
      }
    }
    try handle.write(contentsOf: zip.end())
    try handle.close()
  }
}

/// A wallet's program, as a browser knows it.
private struct Wallet {
  private let address: URLComponents

  init(_ address: String) { self.address = URLComponents(string: address) ?? URLComponents() }

  private func request(_ path: String) -> HTTPClientRequest {
    var address = address
    address.path = "/\(path)"
    return HTTPClientRequest(url: address.string ?? "")
  }

  /// Sends a file to be imported, part by part.
  func send(_ file: URL) async throws -> Int {
    var request = request("import")
    request.method = .POST
    request.body = .stream(Parts(handle: try FileHandle(forReadingFrom: file)), length: .unknown)
    return Int(try await HTTPClient.patient.execute(request, timeout: .seconds(120)).status.code)
  }

  /// How many cards there are.
  func count() async throws -> Int {
    let answer = try await HTTPClient.patient.execute(request("cards"), timeout: .seconds(120))
    let body = try await answer.body.collect(upTo: 1 << 24)
    let list = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
    return ((list as? [String: Any])?["cards"] as? [Any])?.count ?? 0
  }

  /// Takes the export as long as more of it is wanted, and gives the size of what it took.
  func export(while isWanted: (Int) -> Bool) async throws -> Int {
    let answer = try await HTTPClient.patient.execute(request("export"), timeout: .seconds(300))
    var size = 0
    for try await part in answer.body {
      size += part.readableBytes
      guard isWanted(size) else { break }
    }
    return size
  }
}

/// A file, a megabyte at a time.
private struct Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let handle: FileHandle

  func makeAsyncIterator() -> Parts { self }

  func next() async throws -> ByteBuffer? {
    try handle.read(upToCount: 1 << 20).map { ByteBuffer(bytes: $0) }
  }
}
