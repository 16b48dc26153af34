import Foundation

/// Tells when disks are mounted and unmounted (proc(5), `/proc/self/mountinfo`), which no folder tells of.
final class MountTable {
  /// To wait on, for `POLLPRI`; -1 where there is no `/proc`.
  let fileDescriptor: Int32
  private var mounts: Set<Mount> = []

  /// The kernel's number for it tells it from another one that takes its place, or covers it.
  private struct Mount: Hashable {
    let number: Int
    let point: FilePath
  }

  init() {
    fileDescriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    _ = takeChanges()
  }

  deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

  /// Where disks came or went since the last call.
  func takeChanges() -> Set<FilePath> {
    let before = mounts
    mounts = read()
    return Set(before.symmetricDifference(mounts).map(\.point))
  }

  private func read() -> Set<Mount> {
    guard fileDescriptor >= 0, lseek(fileDescriptor, 0, SEEK_SET) == 0 else { return [] }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = unsafe Glibc.read(fileDescriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    // Number, parent's number, device, root, mount point …
    return Set(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 4, let number = Int(String(decoding: fields[0], as: UTF8.self)) else {
          return nil
        }
        return Mount(number: number, point: FilePath(bytes: Self.unescaped(fields[4])))
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
