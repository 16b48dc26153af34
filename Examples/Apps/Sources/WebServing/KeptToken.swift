import Foundation

/// A token that a program keeps for its person, so that bookmarks, installed pages and browsers that know it outlive the program.
struct KeptToken {
  /// Where it is.
  let file: URL

  /// Why a token can't be used.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the token; the first time it is made.
  ///
  /// - Throws: ``Failure``.
  func token() throws(Failure) -> AccessToken {
    if let token = try read() { return token }
    try write(AccessToken())
    // Of two programs that start at once, both take the token of the faster one.
    guard let token = try read() else { throw failure("can't be kept", ENOENT) }
    return token
  }

  private func read() throws(Failure) -> AccessToken? {
    let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("can't be read", errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("can't be read", errno) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw Failure(
        description:
          "others may have read the token in \(file.path). Remove the file; then another token is made."
      )
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure("can't be read", errno) }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let token = AccessToken(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Failure(
        description: "there is no token in \(file.path). Remove the file; then another one is made."
      )
    }
    return token
  }

  /// Makes the file with all that is in it, or leaves the one that is there.
  func write(_ token: AccessToken) throws(Failure) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Readable for its owner alone.
    var path = Array(folder.appending(component: ".token-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw failure("can't be kept", errno) }
    defer {
      close(descriptor)
      unlink(path)
    }
    let text = token.text + "\n"
    guard Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw failure("can't be kept", errno)
    }
    guard link(path, file.path) == 0 || errno == EEXIST else {
      throw failure("can't be kept", errno)
    }
  }

  private func failure(_ trouble: String, _ code: Int32) -> Failure {
    let reason = String(cString: strerror(code))
    return Failure(
      description:
        "the token \(trouble) in \(file.path): \(reason). Give a --token-file, or set XDG_STATE_HOME to a folder of your own."
    )
  }
}

extension KeptToken {
  /// The token of a program, in the person's folder for the state of programs (XDG Base Directory Specification).
  init(of program: String) {
    let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"]
    let folder =
      state.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(NSHomeDirectory())/.local/state"
    file = URL(fileURLWithPath: folder, isDirectory: true)
      .appending(components: "viewfinder", "\(program).token")
  }
}
