import Foundation

/// Tells when disks are mounted and unmounted (proc(5), `/proc/self/mountinfo`), which no folder tells of.
final class MountTable {
  /// To wait on, for `POLLPRI`; -1 where there is no `/proc`.
  let fileDescriptor: Int32
  private var points: Set<FilePath> = []

  init() {
    fileDescriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    _ = takeChanges()
  }

  deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

  /// Where disks came or went since the last call.
  func takeChanges() -> Set<FilePath> {
    let before = points
    points = read()
    return before.symmetricDifference(points)
  }

  /// Where something is mounted, with its device: another one at the same place counts.
  private func read() -> Set<FilePath> {
    guard fileDescriptor >= 0, lseek(fileDescriptor, 0, SEEK_SET) == 0 else { return [] }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = unsafe Glibc.read(fileDescriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    // Identifier, parent, device, root, mount point …
    return Set(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        return fields.count > 4 ? FilePath(bytes: Self.unescaped(fields[4])) : nil
      })
  }

  /// Blanks and the like are octal: `\040`.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.count == 3, let value = UInt8(digits, radix: 8) {
        result.append(value)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
