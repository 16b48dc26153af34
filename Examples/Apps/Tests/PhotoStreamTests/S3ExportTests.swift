import Checksums
import FeedClient
import Foundation
import S3
import ServerSupport
import Testing
import ViewfinderLibrary

@testable import PhotoStream

@Suite(
  "Exports of photos to S3", .serialized, .disabled(if: Moto.absence != nil, Moto.absence))
struct S3ExportTests {
  private let scratch: Scratch
  private let phone: Device
  private let moto: Moto

  init() async throws {
    scratch = try Scratch()
    phone = try await Device("phone", in: scratch, "http://127.0.0.1:1", token: "none")
    moto = try await Moto()
  }

  private func bucket(port: Int? = nil, secret: String? = nil) throws -> S3Bucket {
    var credentials = moto.credentials
    if let secret { credentials.secretKey = secret }
    var bucket = S3Bucket(try #require(S3Address(moto.address(port: port))), credentials)
    bucket.partSize = 5 << 20
    return bucket
  }

  /// The photos that the bucket has, by their keys.
  private func photos() async throws -> [String: Data] {
    var photos: [String: Data] = [:]
    for key in try await moto.keys("feeds/") {
      photos[key] = try await moto.ask("GET", key).body
    }
    return photos
  }

  /// A photo of 12 MB: with comments in the file.
  private func addLarge() async throws -> Data {
    let small = try picture("large")
    let comment = Data([0xff, 0xfe, 0xff, 0xff]) + Data((0..<65_533).map { UInt8($0 % 251) })
    var data = small.prefix(2)
    for _ in 0..<190 { data += comment }
    data += small.dropFirst(2)
    try await phone.library.save([PhotoResource(.data(data))])
    return data
  }

  /// The uploads that have begun and aren't complete.
  private func openUploads() async throws -> [String] {
    XMLElements(try await moto.ask("GET", "", query: [("uploads", "")]).body).elements("UploadId")
  }

  @Test("A bucket gets each photo once, byte for byte by its month, and the next run sends nothing")
  func once() async throws {
    let undated = try await phone.add(3)
    let dated = try picture("dated")
    try dated.write(to: phone.pictures.appending(component: "IMG_20190704_123456 ä+.jpg"))
    _ = try await phone.library.update()
    let status = try await phone.export(to: bucket(), in: scratch).run()
    #expect(status.sent == 4 && status.problems.isEmpty)
    let there = try await photos()
    #expect(Set(there.values) == undated.union([dated]) && there.count == 4)
    let hash = BlobName(of: dated).text.prefix(12)
    #expect(there["feeds/2019/07/IMG_20190704_123456 ä+-\(hash).jpg"] == dated)
    // Also where nothing is known of it here.
    try FileManager.default.removeItem(at: scratch.url.appending(component: "exports"))
    let next = try await phone.export(to: bucket(), in: scratch).run()
    #expect(next.sent == 0 && next.known == 4)
    // What somebody else put there isn't the photo.
    let key = try #require(there.keys.first { $0.contains("Undated") })
    _ = try await moto.ask("PUT", key, payload: there[key] ?? Data())
    try FileManager.default.removeItem(at: scratch.url.appending(component: "exports"))
    let last = try await phone.export(to: bucket(), in: scratch).run()
    #expect(last.sent == 1 && last.known == 3)
  }

  @Test("A large photo goes in parts, and those that are there aren't sent again")
  func large() async throws {
    let photo = try await addLarge()
    let proxy = try Proxy(to: moto.port)
    // Asked, asked again, begun, parts listed, two parts; then nothing goes any more.
    proxy.plan = Array(repeating: .pass, count: 7) + Array(repeating: .cut, count: 60)
    await #expect(throws: FeedError.self) {
      try await phone.export(to: bucket(port: proxy.server.port), in: scratch).run()
    }
    proxy.plan = []
    let before = proxy.server.requests.count
    let status = try await phone.export(to: bucket(port: proxy.server.port), in: scratch).run()
    #expect(status.sent == 1)
    #expect(Array(try await photos().values) == [photo])
    let sent = proxy.server.requests.dropFirst(before).filter { $0.method == "PUT" }
    #expect(sent.map { $0.target.firstMatch(of: /partNumber=(\d+)/)?.1 } == ["3"])
    #expect(try await openUploads() == [])
  }

  @Test("Over a bad network a bucket has each photo once, and whole; nothing of uploads is left")
  func badNetwork() async throws {
    var all = try await phone.add(6)
    all.insert(try await addLarge())
    for seed in 0..<3 {
      let proxy = try Proxy(to: moto.port, seed: UInt64(seed))
      proxy.rate = 0.3
      try await phone.exportUntilDone(to: bucket(port: proxy.server.port), in: scratch)
      proxy.rate = 0
      try await phone.exportUntilDone(to: bucket(), in: scratch)
    }
    let there = try await photos()
    #expect(Set(there.values) == all && there.count == all.count)
    #expect(try await openUploads() == [])
  }

  @Test("Wrong keys are told without the keys, and so is a bucket that isn't there")
  func refused() async throws {
    try await phone.add("a")
    await #expect(throws: ExportError.self) {
      do {
        _ = try await phone.export(to: bucket(secret: "mine"), in: scratch).run()
      } catch {
        #expect("\(error)".contains("doesn't take the keys") && !"\(error)".contains("mine"))
        throw error
      }
    }
    let nowhere = try #require(S3Address("s3://nowhere?endpoint=http://127.0.0.1:\(moto.port)"))
    await #expect(throws: (any Error).self) {
      try await phone.export(to: S3Bucket(nowhere, moto.credentials), in: scratch).run()
    }
  }

  @Test("Nothing counts as sent where somebody else answers with pages")
  func portal() async throws {
    try await phone.add("a")
    let proxy = try Proxy(to: moto.port)
    proxy.plan = Array(repeating: .page, count: 100)
    await #expect(throws: FeedError.self) {
      try await phone.export(to: bucket(port: proxy.server.port), in: scratch).run()
    }
    proxy.plan = []
    let status = try await phone.export(to: bucket(port: proxy.server.port), in: scratch).run()
    #expect(status.sent == 1)
    #expect(try await photos().count == 1)
  }

  @Test("The program takes the keys from a file, and the bucket from the environment")
  func program() async throws {
    let photos = try await phone.add(2)
    let keys = scratch.url.appending(component: "credentials")
    let (key, secret) = (moto.credentials.accessKey, moto.credentials.secretKey)
    try Data(
      """
      [default]
      aws_access_key_id = \(key)
      aws_secret_access_key=\(secret)
      [other]
      aws_access_key_id = nobody
      """.utf8
    ).write(to: keys)
    let process = Process()
    process.executableURL = ServerProcess.folder.appending(component: "photo-stream")
    process.arguments = [
      "export", "s3", "--secret-file", keys.path, "--root", phone.pictures.path,
      "--data", scratch.url.appending(component: "exports").path,
      "--index", phone.folder.appending(component: "index").path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "PHOTO_STREAM_S3": moto.address()
    ]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(words.contains("2 photos were sent, 0 were there already."))
    #expect(Set(try await self.photos().values) == photos)
  }
}
