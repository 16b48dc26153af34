import ArgumentParser
import Foundation
import PhotoStream
import S3
import ViewfinderLibrary

extension PhotoStreamProgram {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends all photos of the library to a service, each once.",
      discussion: """
        Nothing comes back, and nothing is deleted there. What was sent is remembered: run it again at any time, or \
        after it was interrupted, and it goes on. No stream needs to be joined.
        """,
      subcommands: [ToImmich.self, ToWebDAV.self, ToS3.self])
  }

  struct ToImmich: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "immich", abstract: "Sends photos to an Immich server.",
      discussion:
        "The API key, which needs the permission asset.upload, is in the environment variable IMMICH_API_KEY."
    )

    @Argument(help: ArgumentHelp("Where the server is.", valueName: "url")) var address: String
    @OptionGroup var options: ExportOptions

    func run() async throws {
      let key = try options.secret("IMMICH_API_KEY")
      try await options.export(to: Immich(url: try webAddress(address), key: key))
    }
  }

  struct ToWebDAV: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "webdav",
      abstract: "Sends photos to a folder of Nextcloud or another WebDAV server.",
      discussion: """
        The folder of a Nextcloud is https://HOST/remote.php/dav/files/USER/FOLDER, and its password an app password. \
        The password is in the environment variable WEBDAV_PASSWORD.
        """)

    @Argument(help: ArgumentHelp("The folder's address.", valueName: "url")) var address: String
    @Option(help: ArgumentHelp("Who sends.", valueName: "name")) var user: String
    @OptionGroup var options: ExportOptions

    func run() async throws {
      let password = try options.secret("WEBDAV_PASSWORD")
      try await options.export(
        to: WebDAV(url: try webAddress(address), user: user, password: password))
    }
  }
}

extension PhotoStreamProgram {
  struct ToS3: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "s3", abstract: "Sends photos to a bucket of Amazon S3, or of a store like it.",
      discussion: """
        The address may stand in the environment variable PHOTO_STREAM_S3 instead. The keys are in AWS_ACCESS_KEY_ID, \
        AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or in a file such as ~/.aws/credentials, of which the first \
        profile counts.
        """)

    @Argument(
      help: ArgumentHelp(
        "Where photos go: s3://BUCKET[/PREFIX][?region=REGION&endpoint=URL].", valueName: "address")
    )
    var address: String?
    @OptionGroup var options: ExportOptions

    func run() async throws {
      let text = address ?? ProcessInfo.processInfo.environment["PHOTO_STREAM_S3"] ?? ""
      guard let place = S3Address(text) else {
        throw ValidationError(
          "The address is s3://BUCKET, s3://BUCKET/PREFIX?region=REGION or s3://BUCKET?endpoint=http://HOST:PORT."
        )
      }
      try await options.export(to: S3Bucket(place, try credentials()))
    }

    private func credentials() throws -> SignatureV4.Credentials {
      let file = try options.secretFile.map { try String(contentsOfFile: $0, encoding: .utf8) }
      let words = file.map(S3Keys.words(in:)) ?? ProcessInfo.processInfo.environment
      guard let credentials = S3Keys.credentials(in: words) else {
        throw ValidationError(
          "The keys are missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in the environment or in --secret-file."
        )
      }
      return credentials
    }
  }
}

/// Which photos go, and who sends them.
struct ExportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sends only photos that came into the library since a day, such as 2026-11-01.",
      valueName: "day"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      "A file with the key or password. (default: the environment, or a line of the input)",
      valueName: "path"))
  var secretFile: String?

  @OptionGroup var place: Place

  /// The key or password.
  func secret(_ variable: String) throws -> String {
    let file = try secretFile.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let text = ProcessInfo.processInfo.environment[variable] ?? file ?? readLine() ?? ""
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !secret.isEmpty else { throw ValidationError("\(variable) is empty.") }
    return secret
  }

  func export(to service: any ExportService) async throws {
    let since = try since.map(day)
    let library = try await place.library()
    _ = try await library.update()
    let export = try PhotoExport(library, to: service, folder: place.folder)
    let telling = Task { await tellChanges(of: export.statuses, words) }
    defer { telling.cancel() }
    let status = try await export.run(since: since)
    // What it still tells comes before the end.
    telling.cancel()
    await telling.value
    tell("\(status.sent) photos were sent, \(status.known) were there already.")
    for problem in status.problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
    guard status.problems.isEmpty else { throw ExitCode.failure }
  }

  /// How far it is, in a line.
  private func words(_ status: ExportStatus) -> String {
    if let reason = status.reason { return reason }
    let name = status.sending.map { ": \($0.name), \($0.done * 100 / max($0.size, 1)) %" } ?? ""
    return "\(status.done) of \(status.total)\(name)"
  }
}
