import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Prints checksums of whole files.
struct ChecksumsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checksums",
    abstract: "Make the checksums of whole files that are missing, and print all.",
    discussion: """
      By these “verify” finds a byte that a disk or a program changed while size and time stayed. \
      Programs that keep the library open make them in the background. It prints XXH3 hashes of 128 \
      bits as “xxhsum --check” takes them: keep them elsewhere, too.

      A checksum stays as long as a file's size and time do. Where a program changed a file on \
      purpose and gave it its former time, --accept makes it anew.

      JSON: {"checksums": [{"fileURL", "xxh128", "since"}]}
      """)

  @Option(
    help: ArgumentHelp(
      "Take what this photo or video holds now as good; repeatable.", valueName: "asset"))
  var accept: [Path] = []

  @Flag(help: "Print those that there are; make none.")
  var noUpdate = false

  @OptionGroup(title: "Library options") var options: LibraryOptions

  func run() async throws {
    let library = try await noUpdate ? options.open() : options.openUpToDate()
    if !accept.isEmpty {
      var assets: [Asset] = []
      for name in accept { assets.append(try await library.asset(named: name)) }
      try await library.forgetChecksums(of: assets)
    }
    if !noUpdate {
      let progress = ProgressLine()
      try await library.makeChecksums { progress.show("\($0 >> 20) MiB read") }
      progress.clear()
    }
    let checksums = try await library.checksums()
    if options.json {
      return try JSON.print(Report(checksums: checksums.map(Report.Checksum.init)))
    }
    for checksum in checksums {
      try StandardOutput.write(Self.line(checksum))
    }
  }

  /// The line of a list, as xxhsum writes it: names with a newline or a backslash are escaped.
  static func line(_ checksum: FileChecksum) -> Data {
    let path = Path(checksum.fileURL).bytes
    var escaped: [UInt8] = []
    for byte in path {
      switch byte {
      case UInt8(ascii: "\n"): escaped += Array("\\n".utf8)
      case UInt8(ascii: "\\"): escaped += Array("\\\\".utf8)
      default: escaped.append(byte)
      }
    }
    let mark = escaped == path ? "" : "\\"
    return Data("\(mark)\(checksum.hash)  ".utf8) + Data(escaped) + Data("\n".utf8)
  }

  struct Report: Encodable {
    struct Checksum: Encodable {
      var fileURL: String
      var xxh128: String
      var since: String

      init(_ checksum: FileChecksum) {
        (fileURL, xxh128) = (checksum.fileURL.absoluteString, checksum.hash)
        since = checksum.since.ISO8601Format()
      }
    }

    var checksums: [Checksum]
  }
}
