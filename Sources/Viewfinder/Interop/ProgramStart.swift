import CViewfinder
import Glibc

/// Starts other programs.
package enum ProgramStart {
  /// Why a program couldn't be started.
  package struct Failure: Error {
    /// An `errno`.
    package let code: Int32
  }

  /// Starts a program, by its path and with its arguments, in a process group of its own.
  ///
  /// It has nothing to read, and of this process nothing but a pipe that it writes to, as output and
  /// as errors.
  ///
  /// - Returns: The process, to be waited for, and the pipe, to be closed.
  package static func start(_ words: [[UInt8]]) -> Result<(process: Int32, output: Int32), Failure>
  {
    var strings = unsafe words.map { word in
      unsafe strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    unsafe strings.append(nil)
    defer { unsafe strings.forEach { unsafe free($0) } }
    var (process, output): (Int32, Int32) = (0, -1)
    let code = -(unsafe vf_program_start(strings, &process, &output))
    return code == 0 ? .success((process, output)) : .failure(Failure(code: code))
  }
}
