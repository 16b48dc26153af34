import Checksums
import FeedClient
import Foundation
import ServerSupport
import Testing
import ViewfinderLibrary

@testable import PhotoStream

@Suite("Exports of photos", .serialized)
struct ExportTests {
  private let scratch: Scratch
  private let phone: Device

  init() async throws {
    scratch = try Scratch()
    phone = try await Device("phone", in: scratch, "http://127.0.0.1:1", token: "none")
  }

  private func export(to service: any ExportService) throws -> PhotoExport {
    try phone.export(to: service, in: scratch)
  }

  // MARK: Immich

  private func immich(_ url: URL, key: String = ImmichDouble.key) -> Immich {
    Immich(url: url, key: key)
  }

  @Test("Immich gets each photo once, byte for byte under its name, and the next run sends nothing")
  func immich() async throws {
    let server = try ImmichDouble()
    let photos = [try await phone.add("a"), try await phone.add("b")]
    let status = try await export(to: immich(server.server.url)).run()
    #expect(status.sent == 2 && status.done == 2 && status.total == 2 && status.problems.isEmpty)
    #expect(server.photos == Set(photos))
    let files = try await phone.library.album(.all).assets()
    var names: Set<String> = []
    for try await asset in files { names.insert(asset.fileName) }
    #expect(Set(server.names) == names)
    server.server.forgetRequests()
    let new = try await phone.add("c")
    let next = try await export(to: immich(server.server.url)).run()
    #expect(next.sent == 1 && next.total == 1)
    #expect(server.photos == Set(photos + [new]) && server.uploads == 3)
    #expect(server.server.requests.count == 3, "a question, an upload, a question")
  }

  @Test("What Immich has already isn't sent, even where nothing is known of it here")
  func known() async throws {
    let server = try ImmichDouble()
    try await phone.add("a")
    _ = try await export(to: immich(server.server.url)).run()
    try FileManager.default.removeItem(at: scratch.url.appending(component: "exports"))
    let status = try await export(to: immich(server.server.url)).run()
    #expect(status.known == 1 && status.sent == 0 && server.uploads == 1)
  }

  @Test("A photo that Immich doesn't take is named, keeps no other from it, and is tried again")
  func refused() async throws {
    let server = try ImmichDouble()
    try await phone.add("a")
    let files = try await phone.library.album(.all).assets()
    for try await asset in files { server.refuse(asset.fileName) }
    let good = try await phone.add("b")
    for _ in 0..<2 {
      let status = try await export(to: immich(server.server.url)).run()
      #expect(status.problems.count == 1)
      #expect(status.problems.first?.contains("Unsupported file type") == true)
    }
    #expect(server.photos == [good])
  }

  @Test("A wrong key is told, without the key")
  func wrongKey() async throws {
    let server = try ImmichDouble()
    try await phone.add("a")
    await #expect(throws: ExportError.self) {
      do {
        _ = try await export(to: immich(server.server.url, key: "mine")).run()
      } catch {
        #expect("\(error)".contains("doesn't take the API key") && !"\(error)".contains("mine"))
        throw error
      }
    }
  }

  @Test("Nothing counts as sent where somebody else answers with pages")
  func portal() async throws {
    let server = try ImmichDouble()
    let proxy = try Proxy(to: server.server.port)
    try await phone.add("a")
    proxy.plan = Array(repeating: .page, count: 100)
    await #expect(throws: FeedError.self) { try await export(to: immich(proxy.url)).run() }
    proxy.plan = []
    let status = try await export(to: immich(proxy.url)).run()
    #expect(status.sent == 1 && server.uploads == 1)
  }

  @Test("Over a bad network Immich gets each photo, and none is sent again that it has")
  func badNetwork() async throws {
    let server = try ImmichDouble()
    let photos = try await phone.add(8)
    for seed in 0..<3 {
      let proxy = try Proxy(to: server.server.port, seed: UInt64(seed))
      proxy.rate = 0.4
      try await phone.exportUntilDone(to: immich(proxy.url), in: scratch)
      proxy.rate = 0
      try await phone.exportUntilDone(to: immich(proxy.url), in: scratch)
    }
    #expect(server.photos == photos && server.names.count == photos.count)
  }

  // MARK: WebDAV

  private func webDAV(_ port: Int, password: String = WsgiDAV.password) throws -> WebDAV {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/Photos"))
    return WebDAV(url: url, user: "anna", password: password)
  }

  @Test(
    "A WebDAV folder gets each photo once, whole, by its month, and the next run sends nothing",
    .disabled(if: WsgiDAV.absence != nil, WsgiDAV.absence))
  func webDAV() async throws {
    let server = try await WsgiDAV(in: scratch.url)
    let undated = try await phone.add(3)
    // A camera's file, whose name says when it was taken.
    let dated = try picture("dated")
    try dated.write(to: phone.pictures.appending(component: "IMG_20190704_123456.jpg"))
    _ = try await phone.library.update()
    let status = try await export(to: webDAV(server.port)).run()
    #expect(status.sent == 4 && status.problems.isEmpty)
    let photos = try server.photos()
    #expect(Set(photos.values) == undated.union([dated]) && photos.count == 4)
    let hash = BlobName(of: dated).text.prefix(12)
    #expect(photos["Photos/2019/07/IMG_20190704_123456-\(hash).jpg"] == dated)
    #expect(photos.keys.filter { $0.hasPrefix("Photos/Undated/") }.count == 3)
    // Also where nothing is known of it here.
    try FileManager.default.removeItem(at: scratch.url.appending(component: "exports"))
    let next = try await export(to: webDAV(server.port)).run()
    #expect(next.sent == 0 && next.known == 4)
    // Half a file isn't a photo.
    let path = try #require(photos.keys.first)
    try dated.prefix(10).write(to: server.files.appending(path: path))
    try FileManager.default.removeItem(at: scratch.url.appending(component: "exports"))
    let last = try await export(to: webDAV(server.port)).run()
    #expect(last.sent == 1 && last.known == 3)
    #expect(try server.photos() == photos)
  }

  @Test(
    "Over a bad network a WebDAV folder has each photo once, and whole",
    .disabled(if: WsgiDAV.absence != nil, WsgiDAV.absence))
  func webDAVBadNetwork() async throws {
    let server = try await WsgiDAV(in: scratch.url)
    let photos = try await phone.add(6)
    for seed in 0..<3 {
      let proxy = try Proxy(to: server.port, seed: UInt64(seed))
      proxy.rate = 0.3
      try await phone.exportUntilDone(to: webDAV(proxy.server.port), in: scratch)
      proxy.rate = 0
      try await phone.exportUntilDone(to: webDAV(proxy.server.port), in: scratch)
    }
    let there = try server.photos()
    #expect(Set(there.values) == photos && there.count == photos.count)
  }

  @Test(
    "A wrong password is told, and the folder of another person isn't made",
    .disabled(if: WsgiDAV.absence != nil, WsgiDAV.absence))
  func wrongPassword() async throws {
    let server = try await WsgiDAV(in: scratch.url)
    try await phone.add("a")
    await #expect(throws: ExportError.self) {
      try await export(to: webDAV(server.port, password: "wrong")).run()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.files.path).isEmpty)
  }

  // MARK: The program

  @Test("A program that is killed again and again sends each photo once, and tells how many")
  func killed() async throws {
    let server = try ImmichDouble()
    let photos = try await phone.add(12)
    for pause in [150, 300, 450] {
      let process = try program(to: server)
      try await Task.sleep(for: .milliseconds(pause))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let process = try program(to: server)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(server.photos == photos && server.names.count == photos.count)
  }

  private func program(to server: ImmichDouble) throws -> Process {
    let process = Process()
    process.executableURL = ServerProcess.folder.appending(component: "photo-stream")
    process.arguments = [
      "export", "immich", server.server.url.absoluteString, "--root", phone.pictures.path,
      "--data", scratch.url.appending(component: "exports").path,
      "--index", phone.folder.appending(component: "index").path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "IMMICH_API_KEY": ImmichDouble.key
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
