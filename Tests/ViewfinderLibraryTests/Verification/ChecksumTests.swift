import Foundation
import GRDB
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// What the library says of its files' health must be so.
@Suite struct ChecksumTests {
  /// A file of many parts, with a byte in its middle that no sample of its ends has.
  private static let large: Data = {
    var data = LibraryFolder.jpeg(seed: 1)
    data += Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) })
    return data + Data([0xff, 0xd9])
  }()

  /// Changes a byte behind everybody's back: size and time stay.
  private func rot(_ path: FilePath, at place: Int) throws {
    let status = try #require(FileStatus(of: path))
    let handle = try FileHandle(forUpdating: path.url)
    try handle.seek(toOffset: UInt64(place))
    let byte = try #require(try handle.read(upToCount: 1)).first ?? 0
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data([byte ^ 0x10]))
    try handle.close()
    let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    path.setModified(Int(seconds), nanoseconds: Int(rest))
  }

  @Test(
    "A byte that changes anywhere in a file without another size or time is found, with the day until which it was good"
  )
  func rottenByte() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", Self.large) }
    let begin = Date()
    try await rig.library.makeChecksums()
    var report = try await rig.library.verify()
    #expect(report.isHealthy && report.filesCompared == 1)
    let path = rig.root.appending("a.jpg")
    try rot(path, at: 300_000)
    // Nothing makes the wrong bytes the right ones: no scan, no other run.
    for _ in 0..<2 {
      try await rig.library.update()
      try await rig.library.makeChecksums()
      report = try await rig.library.verify()
      let finding = try #require(report.damagedFiles.first)
      #expect(finding.error.description.contains("its size and time haven't"))
      #expect(try #require(finding.goodSince) >= begin - 1)
      #expect(!report.isHealthy)
    }
    // But a person can say that they are.
    try await rig.library.forgetChecksums(of: [rig.asset("a.jpg")])
    try await rig.library.makeChecksums()
    #expect(try await rig.library.verify().isHealthy)
  }

  @Test(
    "A file that somebody writes to gets another checksum, and one that is only touched keeps its age"
  )
  func changes() async throws {
    let rig = try await LibraryRig { folder in
      for name in ["a.jpg", "b.jpg"] { try folder.write(name, seed: Int(name.utf8.first ?? 0)) }
    }
    try await rig.library.makeChecksums()
    let before = try await rig.library.checksums()
    rig.root.appending("a.jpg").setModified(1_700_000_000, nanoseconds: 0)
    try rig.folder.write("b.jpg", seed: 200)
    try await rig.library.update()
    #expect(try await rig.library.checksums().isEmpty)
    try await rig.library.makeChecksums()
    let after = try await rig.library.checksums()
    #expect(after[0] == before[0])
    #expect(after[1].hash != before[1].hash && after[1].since > before[1].since)
  }

  @Test("Checksums are those of xxhsum, which can check them without this library")
  func export() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", Self.large) }
    try await rig.library.makeChecksums()
    let checksum = try #require(try await rig.library.checksums().first)
    let path = FilePath(checksum.fileURL)
    let program = "/usr/bin/xxhsum"
    guard FilePath(program).exists else { return }
    #expect(try output(program, ["-H2", path.description]).hasPrefix("\(checksum.hash)  "))
    let list = rig.base.appending("list")
    try Data("\(checksum.hash)  \(path)\n".utf8).write(to: list.url)
    #expect(try output(program, ["--check", list.description]).contains("OK"))
  }

  @Test("A library that watches makes checksums by itself, and goes on where it was")
  func background() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<30 { try folder.write("\(number).jpg", seed: number) }
    }
    let core = rig.library.core
    let last = try core.makeChecksums(after: 0, limit: 10) { _ in false }
    let first = try await rig.library.checksums()
    #expect(first.count == 10 && last != nil)
    let keeper = ChecksumKeeper(core, rate: 1 << 30, rest: 0.05)
    core.firstScan.finish()
    #expect(try await eventually { try await rig.library.checksums().count == 30 })
    keeper.stop()
    #expect(Set(try await rig.library.checksums()).isSuperset(of: first))
  }

  @Test("What the index doesn't have is read, too, and its damage is told")
  func withoutIndex() async throws {
    let rig = try await LibraryRig()
    try rig.folder.write("a.jpg", seed: 1)
    try rig.folder.write("b.jpg", LibraryFolder.jpeg(seed: 2).prefix(90))
    try rig.folder.write("c.txt", Data("text".utf8))
    let report = try await rig.library.verify()
    #expect(report.filesRead == 2)
    #expect(report.damagedFiles.map { FilePath($0.fileURL).name } == ["b.jpg"])
    #expect(!report.isHealthy && report.filesCompared == 0)
  }

  @Test("A root that can't be read is no health")
  func missingRoot() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    #expect(try await rig.library.verify().isHealthy)
    #expect(rig.root.moveToFree(rig.base.appending("away")) == 0)
    let report = try await rig.library.verify()
    #expect(report.filesUnread == 1 && report.filesRead == 0)
    #expect(!report.isHealthy && !report.hasDamage && !report.isComplete)
  }

  @Test("Verifying changes nothing in the index")
  func changesNothing() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    try rig.folder.write("b.jpg", seed: 2)
    func dump() throws -> [String] {
      try rig.library.core.index.readNow { db in
        try ["file", "folder", "checksum", "change", "album"].map {
          "\(try Row.fetchAll(db, sql: "SELECT * FROM \($0)"))"
        }
      }
    }
    let before = try dump()
    _ = try await rig.library.verify()
    #expect(try dump() == before)
  }
}
