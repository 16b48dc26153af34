import Foundation
import Testing

@testable import Viewfinder

@Suite struct PhotoContentTests {
  private func mjpegRig() throws -> Rig {
    let rig = try Rig()
    try rig.choose(.mjpeg, .vga)
    return rig
  }

  @Test func aCamerasJPEGGoesToTheDiskOutOfItsOwnBuffer() async throws {
    let rig = try mjpegRig()
    let video = CaptureVideoDataOutput()
    try await rig.start(video)
    var frames = video.frames.makeAsyncIterator()
    let frame = try #require(await frames.next())
    let content = try PhotoRenderer(encoder: JPEGEncoder()).render(
      PhotoSource(frame, orientation: .up), crop: PhotoCrop(), as: PhotoEncoding(),
      metadata: PhotoMetadata()
    ).content
    #expect(content.isBorrowed)
    let folder = try TemporaryFolder()
    let url = folder.url.appending(component: "photo.jpg")
    try PhotoFile.write(content: content, to: url, replacesExisting: false)
    #expect(content.isBorrowed)
    let written = try Data(contentsOf: url)
    #expect(written.count == content.count)
    let isSame = written == content.data
    #expect(isSame && !content.isBorrowed)
    #expect(try PixelBuffer(decoding: written).dimensions == .vga)
  }

  @Test func aPhotoThatIsKeptGivesTheCamerasBufferBack() async throws {
    let rig = try mjpegRig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    #expect(await eventually { !photo.content.isBorrowed })
    #expect(await eventually { rig.session.statistics.lentBuffers == 0 })
    #expect(try photo.pixelBuffer().dimensions == .vga)
  }

  @Test func aPhotoGivesTheCamerasBufferBackWhenItsConnectionIsDisabledOrTheSessionStops()
    async throws
  {
    let rig = try mjpegRig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    output.connection?.isEnabled = false
    #expect(await eventually { !photo.content.isBorrowed })
    output.connection?.isEnabled = true
    let next = try await output.capturePhoto(with: CapturePhotoSettings())
    await rig.session.stopRunning()
    #expect(await eventually { !next.content.isBorrowed })
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func aPhotoInTheMakingIsFinishedWhenTheSessionStopsAndGivesItsBufferBack(format: PixelFormat)
    async throws
  {
    let rig = try Rig()
    try rig.choose(format, .vga)
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let recorder = PhotoRecorder { rig.session.stopRunningAndWait() }
    output.capturePhoto(with: CapturePhotoSettings(), delegate: recorder)
    #expect(await recorder.names().suffix(2) == ["didProcess", "didFinish"])
    guard case .didProcess(let photo?, nil) = recorder.calls.all.dropLast().last else {
      Issue.record("\(recorder.calls.all)")
      return
    }
    #expect(await eventually { !rig.session.isRunning && !photo.content.isBorrowed })
    #expect(rig.session.statistics.lentBuffers == 0)
    #expect(try PixelBuffer(decoding: photo.fileDataRepresentation()).dimensions == .vga)
  }

  @Test func onlyTheNewestPhotoKeepsABuffer() async throws {
    let rig = try mjpegRig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    var photos: [CapturePhoto] = []
    for _ in 0..<5 { photos.append(try await output.capturePhoto(with: CapturePhotoSettings())) }
    #expect(photos.dropLast().allSatisfy { !$0.content.isBorrowed })
  }

  @Test func aPhotoOutlivesItsSessionAndItsCamera() async throws {
    let photo: CapturePhoto
    do {
      let rig = try mjpegRig()
      let output = CapturePhotoOutput()
      try await rig.start(output)
      photo = try await output.capturePhoto(with: CapturePhotoSettings())
      await rig.session.stopRunning()
    }
    #expect(try photo.pixelBuffer().dimensions == .vga)
  }

  @Test func aPipeThatTakesLessThanItIsGivenGetsAllPiecesInOrder() throws {
    struct Pieces: FileContent {
      let pieces: [Data]
      func withPieces<R>(_ body: ([UnsafeRawBufferPointer]) -> R) -> R {
        unsafe lend(pieces[...], [], body)
      }
      private func lend<R>(
        _ rest: ArraySlice<Data>, _ lent: [UnsafeRawBufferPointer],
        _ body: ([UnsafeRawBufferPointer]) -> R
      ) -> R {
        guard let first = rest.first else { return unsafe body(lent) }
        return unsafe first.withUnsafeBytes { bytes in
          unsafe lend(rest.dropFirst(), lent + [bytes], body)
        }
      }
    }
    let pieces = [0, 70_000, 1, 0, 200_003, 2].enumerated().map { number, count in
      Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
    }
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    let sender = Thread {
      #expect(FileSystem.write(Pieces(pieces: pieces), to: writer) == 0)
      close(writer)
    }
    sender.start()
    let received = FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile()
    let isSame = received == pieces.reduce(Data(), +)
    #expect(isSame)
  }
}
