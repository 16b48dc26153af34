import Foundation

/// Chromium and its driver, where they are installed (Debian: chromium, chromium-driver).
public enum Chromium {
  /// Why tests with a browser are skipped; `nil` when they can run.
  ///
  /// With `VIEWFINDER_NEEDS_BROWSER=1` in the environment they run, and fail, in any case.
  public static let absence: String? = {
    guard ProcessInfo.processInfo.environment["VIEWFINDER_NEEDS_BROWSER"] != "1" else { return nil }
    let missing = ["chromium", "chromedriver"].filter { path(of: $0) == nil }
    return missing.isEmpty
      ? nil : "\(missing.joined(separator: " and ")) not installed: Examples/check installs them."
  }()

  static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A chromedriver, which ends with its object.
final class ChromeDriver: Sendable {
  private let process: Process
  private let folder: URL
  let port: Int

  /// Starts a driver on a free port.
  init() async throws {
    guard let path = Chromium.path(of: "chromedriver") else {
      throw WebDriver.Failure(description: "chromedriver isn't installed.")
    }
    folder = try Self.makeFolder()
    var words = ""
    // It takes a port that is free in IPv6, and ends where IPv4's isn't.
    for _ in 1...5 {
      let (process, text) = try await Self.start(path, in: folder)
      if let port = text.firstMatch(of: /successfully on port ([0-9]+)/).flatMap({ Int($0.1) }) {
        (self.process, self.port) = (process, port)
        return
      }
      words = text
      guard text.contains("port not available") else { break }
    }
    try? FileManager.default.removeItem(at: folder)
    throw WebDriver.Failure(description: "chromedriver didn't start: \(words)")
  }

  /// A folder for what the driver and its browsers leave behind: profiles, and Chromium's parts.
  ///
  /// Its name is short, because a browser puts a socket there, whose path may have 108 bytes.
  private static func makeFolder() throws -> URL {
    let parent = FileManager.default.temporaryDirectory
    let folder = parent.appending(component: "vf-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  /// Starts a driver; gives what it says of itself, too.
  private static func start(_ path: String, in folder: URL) async throws -> (Process, String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--port=0"]
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) {
      $1
    }
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: introduction(in: pipe.fileHandleForReading))
      }
    }
    return (process, text)
  }

  /// Ends the driver; its browser has ended before.
  ///
  /// SIGTERM would do nothing: a process with a server in it ignores that signal, and what it starts
  /// inherits this.
  deinit {
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What the driver says up to the line with its port, or its end.
  private static func introduction(in output: FileHandle) -> String {
    var text = ""
    while let data = try? output.read(upToCount: 1), !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if text.hasSuffix("\n"), text.contains("successfully on port") { break }
    }
    return text
  }
}
