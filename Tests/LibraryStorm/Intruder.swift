import Foundation

/// Somebody who rearranges the library's files behind its back.
struct Intruder {
  enum Act: String, CaseIterable {
    case rename, move, swap, copy, replace, edit, delete, moveFolder, leave, comeBack, touch
  }

  let base: Base
  /// The number of the next new photo.
  var nextNumber: Int
  /// Photos that somebody changed, copied or deleted: of them nothing is certain.
  private(set) var disturbed: Set<Int> = []
  private var names = 0

  init(_ base: Base, nextNumber: Int) {
    self.base = base
    self.nextNumber = nextNumber
  }

  /// Does it to photos and folders of its choice, which others may take away meanwhile; returns what was done to which
  /// photo.
  mutating func perform(_ act: Act, _ random: inout SeededNumbers) -> [(number: Int, what: String)]
  {
    let photos = NumberedPhoto.all(in: base.pictures)
    guard let (url, number) = photos.randomElement(using: &random),
      let (other, otherNumber) = photos.randomElement(using: &random)
    else { return [] }
    let folder = other.deletingLastPathComponent()
    switch act {
    case .rename: move(url, url.deletingLastPathComponent(), "renamed")
    case .move: move(url, folder, "moved")
    case .leave: move(url, base.outside, "left")
    case .swap:
      swap(url, other)
      return [(number, "swap with \(otherNumber)"), (otherNumber, "swap with \(number)")]
    case .copy:
      let copy = folder.appending(component: name("copy"))
      try? FileManager.default.copyItem(at: url, to: copy)
      disturb(at: copy)
    case .replace:
      let new = base.outside.appending(component: name("new"))
      try? newPhoto().write(to: new)
      swap(new, url)
      disturb(at: new)
      unlink(new.path)
    case .edit:
      if let old = NumberedPhoto.overwrite(nextNumber, at: url) {
        disturbed.insert(old)
        nextNumber += 1
      }
    case .delete:
      let gone = base.outside.appending(component: name("gone"))
      rename(url.path, gone.path)
      disturb(at: gone)
      unlink(gone.path)
    case .moveFolder:
      let old = url.deletingLastPathComponent()
      guard old.path != base.pictures.path, old.lastPathComponent != "DCIM" else { return [] }
      names += 1
      rename(old.path, base.pictures.appending(component: "folder \(names)").path)
      return NumberedPhoto.all(in: base.pictures.appending(component: "folder \(names)"))
        .map { ($0.number, act.rawValue) }
    case .comeBack:
      guard let back = NumberedPhoto.all(in: base.outside).randomElement(using: &random) else {
        return []
      }
      move(back.url, folder, "back")
      return [(back.number, act.rawValue)]
    case .touch:
      try? FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(number))],
        ofItemAtPath: url.path)
    }
    return [(number, act.rawValue)]
  }

  /// Notes which photo was met: another program may have put one into the place of the one that was chosen.
  private mutating func disturb(at url: URL) {
    if let number = NumberedPhoto.number(at: url) { disturbed.insert(number) }
  }

  /// A name that nobody else has.
  private mutating func name(_ word: String) -> String {
    names += 1
    return "\(word) \(names).jpg"
  }

  /// Moves a file to a name that nobody else has; what has gone meanwhile stays gone.
  private mutating func move(_ url: URL, _ folder: URL, _ word: String) {
    rename(url.path, folder.appending(component: name(word)).path)
  }

  private mutating func newPhoto() -> Data {
    nextNumber += 1
    return NumberedPhoto.data(nextNumber - 1)
  }

  /// Exchanges two names at once (RENAME_EXCHANGE): by way of a third, a restored file could be overwritten.
  private func swap(_ a: URL, _ b: URL) {
    // Swift doesn't import it.
    typealias Rename =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return }
    _ = unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, a.path, AT_FDCWD, b.path, 2)
  }
}
