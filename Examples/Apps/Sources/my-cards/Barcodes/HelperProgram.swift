import BlockingWork
import Foundation
import Synchronization

/// Another program that does a piece of work: bytes in, bytes out.
struct HelperProgram: Sendable {
  let name: String
  private let url: URL

  /// Finds a program in the folders of `PATH`.
  ///
  /// - Parameters:
  ///   - name: The program's name.
  ///   - package: The Debian package that has it.
  /// - Throws: ``BarcodeError/notInstalled(program:package:)``.
  init(_ name: String, package: String) throws(BarcodeError) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let path = folders.map { "\($0)/\(name)" }.first(
      where: FileManager.default.isExecutableFile(atPath:))
    guard let path else { throw .notInstalled(program: name, package: package) }
    self.name = name
    url = URL(fileURLWithPath: path)
  }

  /// What a program left.
  struct Result: Sendable {
    var status: Int32
    var output: Data
    var errors: String
  }

  /// Runs the program; what it works on goes in as input, where no other user sees it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, which all users of the machine can see.
  ///   - input: What it reads.
  ///   - timeLimit: How long it may take.
  /// - Returns: What it left.
  /// - Throws: ``BarcodeError/failed(program:reason:)``.
  func run(_ arguments: [String], input: Data, timeLimit: Duration = .seconds(10))
    async throws(BarcodeError) -> Result
  {
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      () async throws(BarcodeError) -> Result in
      try await work(arguments, input, timeLimit)
    }
  }

  /// Waits for the program, and for its pipes, on threads that may.
  private func work(
    _ arguments: [String], _ input: Data, _ timeLimit: Duration
  ) async throws(BarcodeError) -> Result {
    let process = Process()
    let (inPipe, outPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    process.executableURL = url
    process.arguments = arguments
    process.standardInput = inPipe
    process.standardOutput = outPipe
    process.standardError = errorPipe
    do { try process.run() } catch {
      throw .failed(program: name, reason: "it can't be started")
    }
    let identifier = process.processIdentifier
    let isLate = Mutex(false)
    // From here on: a program may also not read.
    let watch = Task {
      try await Task.sleep(for: timeLimit)
      isLate.withLock { $0 = true }
      kill(identifier, SIGKILL)
    }
    async let written: Void = Self.write(input, to: inPipe)
    async let output = Self.readAll(outPipe)
    async let errors = Self.readAll(errorPipe)
    await written
    var result = await Result(
      status: 0, output: output, errors: String(decoding: errors, as: UTF8.self))
    // Both ends are closed: it is about to end, or has.
    process.waitUntilExit()
    watch.cancel()
    result.status = process.terminationStatus
    guard !isLate.withLock({ $0 }) else {
      throw .failed(program: name, reason: "it took more than \(timeLimit)")
    }
    return result
  }

  private static func write(_ input: Data, to pipe: Pipe) async {
    // One that ends without having read all says why.
    try? pipe.fileHandleForWriting.write(contentsOf: input)
    try? pipe.fileHandleForWriting.close()
  }

  private static func readAll(_ pipe: Pipe) async -> Data {
    (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
  }
}
