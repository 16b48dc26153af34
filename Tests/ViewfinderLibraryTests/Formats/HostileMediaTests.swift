import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("Hostile files") struct HostileMediaTests {
  /// What must hold for any file; `#expect` for each would take most of the time.
  static func isSound(_ info: MediaInfo, size: Int) -> Bool {
    let previews = [info.preview, info.thumbnail, info.motion, info.exif].compactMap { $0 }
    let (dimensions, position) = (info.storedDimensions, info.position)
    return previews.allSatisfy { !$0.isEmpty && $0.lowerBound >= 0 && $0.upperBound <= size }
      && dimensions.map { $0.width > 0 && $0.height > 0 } ?? true
      && position.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true
      && info.duration.map { $0 > 0 && $0.isFinite } ?? true
  }

  static func check(_ info: MediaInfo, size: Int, _ what: @autoclosure () -> String) {
    if !isSound(info, size: size) { Issue.record("\(what()): \(info)") }
  }

  /// Without a file: opening it would take most of the time.
  static func check(_ bytes: [UInt8], _ what: @autoclosure () -> String) throws {
    check(try MediaReader.read(FileWindows(Data(bytes))), size: bytes.count, what())
  }

  @Test("A file may end anywhere", arguments: MediaSample.all)
  func cut(sample: MediaSample) throws {
    for length in 0...sample.bytes.count {
      try Self.check(Array(sample.bytes.prefix(length)), "cut to \(length)")
    }
  }

  @Test("Every byte may have any value", arguments: MediaSample.all)
  func changed(sample: MediaSample) throws {
    var bytes = sample.bytes
    for index in bytes.indices {
      for value in [0x00, 0xff, 0x7f] as [UInt8] {
        bytes[index] = value
        try Self.check(bytes, "\(value) at \(index)")
      }
      bytes[index] = sample.bytes[index]
    }
  }

  /// All bits set in every eight bytes: the numbers that overflow.
  @Test("Every number may be as large as it can", arguments: MediaSample.all)
  func large(sample: MediaSample) throws {
    for index in sample.bytes.indices.dropLast(7) {
      var bytes = sample.bytes
      bytes.replaceSubrange(index..<index + 8, with: Array(repeating: 0xff, count: 8))
      try Self.check(bytes, "at \(index)")
    }
  }

  static func expectWithinLimits(_ file: MediaFile) throws -> MediaInfo {
    let (info, bytes, reads) = try file.cost()
    #expect(bytes <= 1 << 20 && reads <= 200, "\(bytes) bytes in \(reads) reads")
    return info
  }

  @Test func anOrdinaryPhotoCostsOneRead() throws {
    let scan = zeros(100_000)
    let file = try MediaFile(jpeg(640, 480, exifSegment(MediaSample.exif)) + scan)
    let (info, bytes, reads) = try file.cost()
    #expect(info.camera == "Canon EOS R5")
    #expect(bytes <= 16 << 10 && reads == 1)
  }

  @Test func anIndexBehindGigabytesIsReachedBySeeking() throws {
    let file = try MediaFile(box("ftyp", text("isom"), zeros(4)))
    let length = 6 << 30
    try file.put(big(1, 4) + text("mdat") + big(length, 8), at: 16)
    try file.put(VideoSample.movie(), at: UInt64(16 + length))
    let info = try Self.expectWithinLimits(file)
    #expect(info.storedDimensions == Dimensions(width: 1920, height: 1080))
    #expect(info.damage == nil)
  }

  @Test func directoriesInACircleEnd() throws {
    var tiff = TIFFBuilder.file([[0x112: .short(3)]])
    tiff.replaceSubrange(tiff.count - 4..<tiff.count, with: little(8, 4))
    #expect(try mediaInfo(jpeg(40, 30, exifSegment(tiff))).orientation == .down)
    let below = TIFFBuilder.file([[0x100: .short(40), 0x101: .short(30), 0x14a: .long(8)]])
    #expect(try mediaInfo(below).type == .tiff)
    let exif = TIFFBuilder.file([[0x112: .short(3), 0x8769: .long(8), 0x8825: .long(8)]])
    #expect(try mediaInfo(jpeg(40, 30, exifSegment(exif))).orientation == .down)
  }

  /// Files that would take long, or much memory, if they were believed.
  @Test func endlessListsAreGivenUp() throws {
    // A chain of directories a megabyte apart.
    let chain = try MediaFile(text("II*\0") + little(1 << 20, 4))
    for index in 1...300 {
      let entry = little(0x100, 2) + little(3, 2) + little(1, 4) + little(9, 4)
      try chain.put(
        little(1, 2) + entry + little((index + 1) << 20, 4), at: UInt64(index << 20))
    }
    #expect(try Self.expectWithinLimits(chain).type == .tiff)

    // As many entries as can be said, all with values far away.
    var entries: [UInt8] = []
    for index in 0..<65535 {
      entries += little(index, 2) + little(5, 2)
      entries += little(0xffff_ffff, 4) + little(index << 8, 4)
    }
    let wide = try MediaFile(text("II*\0") + little(8, 4) + little(65535, 2) + entries)
    #expect(try Self.expectWithinLimits(wide).type == .tiff)

    let segments = (0..<100_000).flatMap { _ in jpegSegment(0xe5, zeros(60)) }
    let long = try MediaFile([0xff, 0xd8] + segments)
    #expect(try Self.expectWithinLimits(long).type == .jpeg)
    let garbage = try MediaFile([0xff, 0xd8, 0xff, 0xe0, 0, 2] + zeros(4 << 20))
    #expect(try Self.expectWithinLimits(garbage).damage == "it has no frame header")

    let boxes = (0..<100_000).flatMap { _ in box("free", zeros(24)) }
    let tiny = try MediaFile(box("ftyp", text("isom"), zeros(4)) + boxes + VideoSample.movie())
    #expect(try Self.expectWithinLimits(tiny).type == .mpeg4)

    let far = try MediaFile(png(30, 20).dropLast(12))
    var offset = UInt64(png(30, 20).count - 12)
    for _ in 0..<300 {
      try far.put(big(1 << 16, 4) + text("IDAT"), at: offset)
      offset += 12 + 1 << 16
    }
    #expect(try Self.expectWithinLimits(far).storedDimensions == Dimensions(width: 30, height: 20))
  }

  /// A limit of ours must not look like damage of theirs.
  @Test func whatLiesBeyondTheBudgetIsNoDamage() throws {
    let file = try MediaFile([0xff, 0xd8])
    var offset: UInt64 = 2
    for _ in 0..<300 {
      try file.put([0xff, 0xe2] + big(65535, 2), at: offset)
      offset += 65537
    }
    try file.put(Array(jpeg(9, 9).dropFirst(2)), at: offset)
    let info = try Self.expectWithinLimits(file)
    #expect(info.type == .jpeg)
    #expect(info.damage == nil)
  }
}
