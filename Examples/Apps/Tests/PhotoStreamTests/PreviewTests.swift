import Checksums
import FeedClient
import Foundation
import ServerSupport
import Testing
import Viewfinder

@testable import PhotoStream

@Suite("Previews of the photo stream", .serialized)
struct PreviewTests {
  private let scratch: Scratch
  private let server: FeedServerProcess

  init() async throws {
    scratch = try Scratch()
    server = try await FeedServerProcess(in: scratch.url.appending(component: "server"))
  }

  private func device(_ name: String, at address: String, fetchesAll: Bool = true) async throws
    -> Device
  {
    try await Device(name, in: scratch, address, token: server.token, fetchesAll: fetchesAll)
  }

  @Test("Small pictures of all photos come before the first photo")
  func first() async throws {
    let phone = try await device("phone", at: server.process.address)
    var sent: Set<Data> = []
    try await phone.run { stream in
      for name in ["a", "b", "c"] { sent.insert(try await phone.add(name, scale: 20)) }
      try await wait("all") { stream.status.sent == 3 }
    }
    let proxy = try Proxy(to: server.process.port)
    let desk = try await device("desk", at: proxy.url.absoluteString)
    try await desk.run { _ in
      try await wait("all") { try await desk.album() == sent }
    }
    let photos = Set(sent.map { BlobName(of: $0).text })
    let blobs = proxy.server.requests.filter { $0.method == "GET" }
      .map(\.target).filter { $0.contains("/blobs/") }
    let arePhotos = blobs.map { photos.contains(String($0.suffix(64))) }
    #expect(arePhotos == [false, false, false, true, true, true])
    #expect(try previews(of: desk).isEmpty, "what is here needs none")
  }

  @Test("A device that asks for photos gets previews alone, and of what it asks for each byte")
  func asked() async throws {
    let phone = try await device("phone", at: server.process.address)
    let desk = try await device("desk", at: server.process.address, fetchesAll: false)
    var (wanted, other) = (Data(), Data())
    try await phone.run { stream in
      wanted = try await phone.add("wanted", scale: 20)
      other = try await phone.add("other", scale: 20)
      try await wait("both") { stream.status.sent == 2 }
    }
    try await desk.run { stream in
      try await wait("the previews") { try previews(of: desk).count == 2 }
      try await wait("rest") { stream.status.phase == .idle && stream.status.wanted == 0 }
      #expect(try await desk.count() == 0)
      let offered = try await stream.offered()
      #expect(Set(offered.map(\.photo.name)) == [BlobName(of: wanted), BlobName(of: other)])
      for photo in offered {
        let jpeg = try Data(contentsOf: try #require(photo.preview))
        #expect(try PixelBuffer(decoding: jpeg).dimensions == Dimensions(width: 512, height: 384))
        #expect(!photo.isComing && jpeg.count < photo.photo.size)
      }
      try await stream.ask(for: [BlobName(of: wanted)])
    }
    // As another start does.
    try await desk.run { stream in
      try await wait("the photo") { try await desk.album() == [wanted] }
      try await wait("one preview") {
        try previews(of: desk) == ["\(BlobName(of: other)).jpg"]
      }
    }
  }

  private func previews(of device: Device) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: device.folder.appending(path: "stream/previews").path)
  }

  @Test(
    "On a full disk nothing is lost, it is told, and with room again all photos come and go",
    .enabled(if: TestDisk.canMount, "needs to mount a small disk as root"))
  func fullDisk() async throws {
    let disk = try TestDisk(megabytes: 8)
    let phone = try await device("phone", at: server.process.address)
    let desk = try await Device(
      "desk", in: scratch, server.process.address, token: server.token, on: disk.folder)
    var photos: Set<Data> = []
    try await desk.run { stream in
      photos.insert(try await desk.add("own", scale: 10))
      try await wait("its own to be sent") { stream.status.sent == 1 }
      try disk.fill()
      try await phone.run { _ in
        for name in ["a", "b"] { photos.insert(try await phone.add(name, scale: 20)) }
        try await wait("the reason") {
          stream.status.phase == .waiting
            && stream.status.reason?.message.contains("Free some space") == true
        }
        try disk.free()
        try await wait("all") {
          let counts = [try await desk.count(), try await phone.count()]
          return counts == [3, 3]
        }
      }
      try await wait("rest") { stream.status.phase == .idle }
      #expect(stream.status.reason == nil)
    }
    var files: Set<Data> = []
    for try await asset in try await desk.library.album(.all).assets() {
      files.insert(try await asset.defaultRepresentation.data())
    }
    #expect(files == photos)
  }
}
