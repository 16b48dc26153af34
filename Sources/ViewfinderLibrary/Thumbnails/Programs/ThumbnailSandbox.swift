import Foundation

/// A sandbox for programs that make thumbnails, by bubblewrap (`bwrap`), as desktops have it.
///
/// The program sees the system's programs and libraries and one file, all of them for reading, and a small folder
/// in memory. It has no network, no home, none of the user's other processes, and dies with all that it started.
struct ThumbnailSandbox: Sendable {
  /// What a program may take.
  struct Limits: Hashable, Sendable {
    /// The time that it may run.
    var time = Duration.seconds(30)
    /// Its address space, in bytes; programs reserve more than they use.
    var memory = 2 << 30
    /// A file that it writes, and all of them together, in bytes.
    var output = 16 << 20
  }

  /// Where the file is in the sandbox, but for its extension, and where the thumbnail comes.
  private static let (input, output) = ("/input", "/tmp/thumbnail.png")

  /// The path of `bwrap`; `nil` where it isn't installed.
  var program: FilePath?
  var limits = Limits()

  /// The command that makes a file's thumbnail and writes it to the standard output.
  ///
  /// Only `bwrap` itself writes anything else there.
  func command(
    _ entry: ThumbnailerEntry, for item: ThumbnailItem, _ size: ThumbnailSize
  ) -> [FilePath]? {
    guard let program else { return nil }
    let ending = item.info.type.map { "." + $0.pathExtension } ?? ""
    let input = Self.input + ending
    let places = ThumbnailerEntry.Places(input: input, output: Self.output, size: size.side)
    // The shell's `ulimit -f` counts blocks of 512 bytes, `-v` those of 1024.
    let script = """
      ulimit -c 0 && ulimit -v \(limits.memory >> 10) && ulimit -f \(limits.output >> 9) && ulimit -n 256 &&
      ulimit -t \(limits.time.components.seconds + 1) && "$@" >/dev/null 2>&1 && exec cat \(Self.output)
      """
    let rest: [String] =
      ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
      + ["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp"]
      + ["--setenv", "GIO_USE_VFS", "local", "--ro-bind", "/usr", "/usr"] + Self.systemFolders
      + ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
      + ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--dev", "/dev"]
      + ["--size", String(limits.output), "--tmpfs", "/tmp", "--chdir", "/", "--ro-bind"]
    let shell: [String] =
      [input, "--remount-ro", "/dev", "--remount-ro", "/", "--", "/bin/sh", "-c", script, "sh"]
    return [program] + rest.map { FilePath($0) } + [item.path]
      + (shell + entry.command(places)).map { FilePath($0) }
  }

  /// The folders beside `/usr` that programs are in: links into it on most systems.
  private static var systemFolders: [String] {
    ["/bin", "/sbin", "/lib", "/lib32", "/lib64"].flatMap { folder in
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder) else {
        return ["--ro-bind-try", folder, folder]
      }
      return ["--symlink", target, folder]
    }
  }
}
