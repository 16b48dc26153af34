import BrowserSupport
import ErrorWords
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker

@testable import ViewfinderPages

@Suite(
  "The words of errors", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct ErrorWordsTests {
  private static let camera: [CaptureError] = [
    .deviceNotFound(name: "x", available: []), .deviceNotFound(name: "x", available: ["y"]),
    .notACamera(device: "x", what: "a codec", available: []),
    .permissionDenied(device: "x", advice: "sudo usermod -aG video \"$USER\", then log out."),
    .permissionDenied(device: "x", advice: "Log out and in again, or run: newgrp video"),
    .permissionDenied(device: "x", advice: "Something forbids it."),
    .deviceInUse(device: "x", holders: [DeviceHolder(processID: 1, name: "cheese")]),
    .deviceInUse(device: "x", holders: [DeviceHolder(processID: getpid(), name: "self")]),
    .deviceInUse(device: "x", holders: []), .disconnected(device: "x"),
    .stalled(device: "x", seconds: 2), .noSignal(device: "x"), .sourceChanged(device: "x"),
    .takingStill(device: "x"), .needsLibcamera(device: "x", driver: "unicam"),
    .insufficientBandwidth(device: "x", format: "y", alternative: nil),
    .unsupportedFormat(device: "x", requested: "y", nearest: []),
    .unsupportedControl(name: "focus", device: "x", reason: "its focus is fixed."),
    .valueOutOfRange(name: "x", value: "1", accepted: "2"), .sessionNotRunning,
    .shutterNotReady(.notReadyMomentarily), .cancelled(reason: "No photo was made."),
    .badImageData(what: "the picture", reason: "it is empty"),
    .unsupportedImage(what: "the picture", reason: "it is empty"),
    .cannotRead(path: "/x", code: ENOENT), .cannotWrite(path: "/x", code: ENOSPC),
    .cannotWrite(path: "/x", code: EACCES), .cannotWrite(path: "/x", code: EEXIST),
    .cannotWrite(path: "/x", code: ENOENT), .cannotWrite(path: "/x", code: EIO),
    .system(call: "x", code: ENOMEM, subject: "y"), .system(call: "x", code: EIO, subject: "y"),
  ]

  private static let folders: [FolderProblem] = [
    .noHome, .noHomeForIndex, .missing(path: "/x"), .leadsNowhere(path: "/x"),
    .unreachable(path: "/x", code: EIO), .notAFolder(path: "/x"), .notReadable(path: "/x y"),
    .readOnlyDisk(path: "/x"), .notWritable(path: "/x y"),
  ]

  private static let library: [PhotoLibraryError] =
    folders.map(PhotoLibraryError.notAuthorized) + [
      .notFound(what: "such photo"), .absent(path: "/x"), .cannotRead(path: "/x", code: EIO),
      .cannotRead(path: "/x", code: EACCES), .cannotRead(path: "/x", code: ENODEV),
      .cannotRead(path: "/x", code: EFBIG), .cannotWrite(path: "/x", code: EROFS),
      .damaged(what: "/x", reason: "it is empty"),
      .unsupported(what: "/x", reason: "its type is unknown"),
      .unsupported(what: "/x", reason: "its thumbnail needs a and b (apt install a b)"),
      .unsupported(what: "/x", reason: "files of type image/gif aren't decoded"),
      .unsupported(what: "/x", reason: "70000 x 70000 pixels take too much memory"),
      .inUse(what: "/x", by: "process 12"), .inUse(what: "/x", by: nil),
      .inUse(what: "/x", by: "this program"), .changed(path: "/x"),
      .notTrashed(path: "/x", trash: "/y", code: ENOSPC),
      .notTrashed(path: "/x", trash: "/y", code: EROFS), .onOtherDisk(path: "/x", folder: "/y"),
      .incomplete(done: [], left: [], because: .cannotWrite(path: "/x", code: ENOSPC)),
      .namesExhausted(folder: "/x"),
      .indexUnusable(path: "/x", reason: errnoWords(EIO)), .cancelled,
    ]

  private static let picker: [PickerError] =
    [
      .notPresented, .alreadyPresented, .busy, .limitReached(1), .limitReached(3), .noCamera,
      .photoGone(name: "x"), .sourceUnavailable(.camera, advice: ""),
      .sourceUnavailable(.photoLibrary, advice: ""),
    ] + camera.map(PickerError.camera) + library.map(PickerError.library)

  private static func errnoWords(_ code: Int32) -> String { String(cString: strerror(code)) }

  @Test("Each error has words in both languages, of which none is missing a value")
  func words() async throws {
    try await PickerVisit.begin("picker-component", ["--no-camera"]) { visit in
      let errors = Self.picker.map { ErrorWords($0) }
      let problems = try await visit.browser.problems(telling: errors)
      #expect(problems == [])
    }
  }

  @Test("Words are kept as text, also those of a time without codes")
  func kept() {
    let words = ErrorWords(
      PhotoLibraryError.incomplete(done: [], left: [], because: .absent(path: "/x")))
    #expect(ErrorWords(kept: words.keptText) == words)
    #expect(ErrorWords(kept: "It doesn't take it.") == ErrorWords("It doesn't take it."))
  }
}
