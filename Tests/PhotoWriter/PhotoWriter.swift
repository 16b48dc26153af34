import Foundation
import Viewfinder

/// Writes files as fast as it can and tells of each when it is saved, until it is killed, or has
/// written a thousand.
///
/// usage: PhotoWriter FOLDER KEEPING
///
/// Files have a megabyte of one byte, the low byte of their number. Of each `KEEPING` names one after
/// the other is used, then the first is replaced: 1 always replaces the same.
@main enum PhotoWriter {
  static func main() throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    guard let keeping = Int(CommandLine.arguments[2]) else { return }
    for number in 0..<1000 {
      let data = Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20)
      let name = "\(number % keeping).jpg"
      try PhotoFile.write(data, to: folder.appendingPathComponent(name))
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
  }
}
