import CardModel
import Checksums
import Foundation

extension PictureHash {
  /// The name of a picture with these bytes.
  public init(of data: Data) {
    let digits = SHA256.hash(data: data).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    // 64 digits are a hash.
    self = PictureHash(digits.joined())!
  }
}

/// Pictures as files that are named by their content: whole or not there.
struct PictureFolder: Sendable {
  private let folder: URL

  /// Makes the folder where it is missing.
  init(_ folder: URL) throws {
    self.folder = folder
    try CardStoreError.files(folder) {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  private func file(of hash: PictureHash) -> URL { folder.appending(component: "\(hash).jpg") }

  func has(_ hash: PictureHash) -> Bool {
    FileManager.default.fileExists(atPath: file(of: hash).path)
  }

  /// Reads a picture; `nil` when it isn't there, or isn't itself any more.
  func read(_ hash: PictureHash) throws -> Data? {
    guard has(hash) else { return nil }
    let data = try CardStoreError.files(folder) { try Data(contentsOf: file(of: hash)) }
    if PictureHash(of: data) == hash { return data }
    // Out of the way, so that a whole one can come.
    try? FileManager.default.removeItem(at: file(of: hash))
    return nil
  }

  /// Writes a picture aside and renames it, so that a full disk or an end at any moment leaves none in part.
  func write(_ data: Data, as hash: PictureHash) throws {
    guard !has(hash) else { return }
    let part = folder.appending(component: ".\(UUID().uuidString).part")
    try CardStoreError.files(folder) {
      defer { unlink(part.path) }
      try PrivateFile.write(data, to: part)
      guard rename(part.path, file(of: hash).path) == 0 else { throw POSIXError.current }
      try PrivateFile.sync(folder)
    }
  }

  /// Removes what no record names, and parts that a sudden end left; the newest day's stay, because a card
  /// may be in the making.
  func removeAll(except named: () throws -> Set<String>) throws {
    let yesterday = Date() - 86_400
    let old = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey]
    ).filter { file in
      let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      return date?.contentModificationDate.map { $0 < yesterday } ?? false
    }
    guard !old.isEmpty else { return }
    let names = try named()
    for file in old where !names.contains(file.deletingPathExtension().lastPathComponent) {
      unlink(file.path)
    }
  }
}
