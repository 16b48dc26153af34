import Foundation
import Viewfinder

/// The programs of the desktop that make thumbnails of what this library doesn't decode.
///
/// They are the files in `thumbnailers` of the folders for data, `XDG_DATA_HOME` before `XDG_DATA_DIRS`, and run in a
/// sandbox only: where bubblewrap is missing or can't make one, none of them runs.
struct DesktopThumbnailers: Sendable {
  /// Where the files are, the first that serves counting.
  var folders: [FilePath]
  /// Where programs are.
  var path: [FilePath]
  var sandbox: ThumbnailSandbox

  /// Those of the user who runs the process.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func list(_ name: String, _ standard: String) -> [FilePath] {
      let value = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? standard
      return value.split(separator: ":").filter { $0.hasPrefix("/") }.map { FilePath(String($0)) }
    }
    let home = XDGFolders(environment: environment).data
    folders = ((home.map { [$0] } ?? []) + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))
      .map { $0.appending("thumbnailers") }
    path = list("PATH", "/usr/bin:/bin")
    sandbox = ThumbnailSandbox(program: nil)
    sandbox.program = program("bwrap")
  }

  /// The picture that a program makes of a file, no larger than `size`.
  ///
  /// Throws ``PhotoLibraryError/unsupported(what:reason:)`` where no program serves,
  /// ``PhotoLibraryError/damaged(what:reason:)`` where one failed, and ``PhotoLibraryError/cancelled``.
  func thumbnail(
    of item: ThumbnailItem, size: ThumbnailSize, isCancelled: () -> Bool
  ) throws(PhotoLibraryError) -> PixelBuffer {
    let what = item.path.description
    guard let type = item.info.type else {
      throw .unsupported(what: what, reason: PictureDecoder.reasonForNone(nil))
    }
    let entry = entry(for: type)
    guard let entry, let command = sandbox.command(entry, for: item, size) else {
      throw .unsupported(what: what, reason: advice(type, hasEntry: entry != nil))
    }
    let limits = sandbox.limits
    let outcome = LimitedProgram.run(
      command, time: limits.time, outputLimit: limits.output, isCancelled: isCancelled)
    let reason: String
    switch outcome {
    case .cancelled: throw .cancelled
    case .notStarted(let code):
      throw .unsupported(what: what, reason: "bwrap can't be started: \(errorText(code))")
    case .ended(let data, _) where data.starts(with: Array("bwrap: ".utf8)):
      let words = String(decoding: data.prefix(200), as: UTF8.self).prefix { !$0.isNewline }
      throw .unsupported(what: what, reason: "there is no sandbox for its thumbnail: \(words)")
    case .ended(let data, status: 0):
      if let picture = picture(data, size) { return picture }
      reason = "it made no picture"
    case .ended: reason = "it failed"
    case .killed(let cause): reason = cause
    }
    throw .damaged(what: what, reason: "\(entry.exec[0]) was to make its thumbnail, but \(reason)")
  }

  /// A picture of thumbnail size, which may be a few times larger than what was asked for.
  private func picture(_ data: Data, _ size: ThumbnailSize) -> PixelBuffer? {
    guard let (width, height) = PNGText.dimensions(data), max(width, height) <= 4096 else {
      return nil
    }
    return try? PixelBuffer(decoding: data, fitting: size.box)
  }

  /// The first program that takes a type and is installed where the sandbox has it.
  func entry(for type: ContentType) -> ThumbnailerEntry? {
    let names = type.thumbnailerTypes
    for folder in folders {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.description)) ?? []
      for name in files.sorted() where name.hasSuffix(".thumbnailer") {
        guard let file = try? FileReader(folder.appending(name)),
          let data = try? file.readAll(limit: 1 << 16),
          let entry = ThumbnailerEntry(String(decoding: data, as: UTF8.self)),
          names.contains(where: entry.mimeTypes.contains), isInstalled(entry)
        else { continue }
        return entry
      }
    }
    return nil
  }

  private func isInstalled(_ entry: ThumbnailerEntry) -> Bool {
    [entry.tryExec, entry.exec[0]].allSatisfy { name in
      guard let name else { return true }
      guard let path = program(name)?.resolved else { return false }
      return path.isInside("/usr")
    }
  }

  /// Where a program is that has this path or name.
  private func program(_ name: String) -> FilePath? {
    let candidates = name.hasPrefix("/") ? [FilePath(name)] : path.map { $0.appending(name) }
    return candidates.first { path in
      unsafe path.withCString { unsafe access($0, X_OK) } == 0
    }
  }

  /// What to install for thumbnails of a type.
  private func advice(_ type: ContentType, hasEntry: Bool) -> String {
    var packages: [String] = []
    if !hasEntry {
      switch type {
      case .heic, .heif, .avif: packages.append("heif-thumbnailer")
      case _ where type.kind == .video: packages.append("ffmpegthumbnailer")
      default: return PictureDecoder.reasonForNone(type)
      }
    }
    if sandbox.program == nil { packages.append("bubblewrap") }
    let names = packages.joined(separator: " and ")
    return "its thumbnail needs \(names) (apt install \(packages.joined(separator: " ")))"
  }
}

extension ContentType {
  /// What thumbnailers call the type: heif-thumbnailer of Debian 12 takes HEIC as HEIF.
  fileprivate var thumbnailerTypes: [String] {
    self == .heic ? [mimeType, ContentType.heif.mimeType] : [mimeType]
  }
}
