import Foundation
import ServerSupport
import Testing

@testable import photo_helper

@Suite("A timeline's photos") struct TimelineTests {
  @Test("A photo is there while it moves to those that are sent, and no other file is")
  func moving() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-timeline-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (outbox, sent) = (
      folder.appending(component: "outbox"), folder.appending(component: "sent")
    )
    try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
    let photo = Data("a photo".utf8)
    try photo.write(to: outbox.appending(component: "1-a.jpg"))
    try Data("another".utf8).write(to: folder.appending(component: "other.jpg"))
    let timeline = try Timeline(in: folder)
    #expect(try timeline.photo("1-a") == photo)
    // As it lies between the move and its note.
    try FileManager.default.moveItem(
      at: outbox.appending(component: "1-a.jpg"), to: sent.appending(component: "1-a.jpg"))
    #expect(timeline.unsent.map(\.id) == ["1-a"])
    #expect(try timeline.photo("1-a") == photo)
    #expect(throws: CocoaError.self) { try timeline.photo("../other") }
  }

  @Test("What couldn’t be sent is sent at once when somebody asks, however long the pause is")
  func sendNow() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-timeline-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outbox = folder.appending(component: "outbox")
    try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
    try Data("a photo".utf8).write(to: outbox.appending(component: "1-a.jpg"))
    let timeline = try Timeline(in: folder)
    let server = try TestServer { $1.answer("503 Service Unavailable", "") }
    let uploader = Uploader(timeline, firstPause: .seconds(3600))
    uploader.begin(to: server.url)
    let running = Task { await uploader.run() }
    for await report in timeline.watch().values where report.entries[0].problem != nil { break }
    server.forgetRequests()
    uploader.sendNow()
    try await wait("a request") { !server.requests.isEmpty }
    running.cancel()
    await running.value
  }
}
