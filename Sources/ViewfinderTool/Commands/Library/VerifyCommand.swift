import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Checks a library.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read all photos through and compare the index with the folders; change nothing.",
    discussion: """
      Damage is a picture that can't be read or shown whole, a file whose bytes changed although \
      its size and time didn't, an album file that holds no album, and a broken index. The exit \
      code is then 65, or that of a file or folder that can't be read; 66 when photos weren't read \
      because their folder or disk isn't there. 0 means that every photo was read and is well.

      It reads each file to the end, compares it with its checksum where there is one (“checksums” \
      makes them), decodes pictures, and checks headers.

      It also reports what isn't damage: files that the index doesn't know yet, or knows \
      differently (any other command brings it up to date); albums some of whose photos are gone; \
      thumbnails of earlier contents (“thumbnails” makes new ones).

      JSON: {"healthy", "filesRead", "filesCompared", "filesUnread", "damagedFiles": [{"fileURL", \
      "error", "goodSince"}], "damagedAlbums": [the same], \
      "indexProblem", "problems": [text], "newFiles": [URL], "changedFiles", "vanishedFiles", \
      "incompleteAlbums": [{"name", "url", "missing"}], "outdatedThumbnails": [URL]}
      """)

  @OptionGroup(title: "Library options") var options: LibraryOptions

  func run() async throws {
    let library = try await options.open()
    let progress = ProgressLine()
    let found = try await library.verify {
      progress.show("\($0.filesRead) of \($0.filesToRead) files read through")
    }
    progress.clear()
    if options.json { try JSON.print(Report(found)) } else { printForPeople(found) }
    if let status = found.exitStatus { throw ReportedFailure(exitStatus: status) }
  }

  private func printForPeople(_ found: VerificationReport) {
    if let problem = found.indexProblem {
      Terminal.warn(
        "The index is damaged: \(problem). Make a new one with “viewfinder library rebuild”.")
    }
    for error in (found.damagedFiles + found.damagedAlbums).map(\.error) + found.problems {
      Terminal.warn(error)
    }
    for entry in found.incompleteAlbums {
      print(
        "“\(Terminal.plain(entry.album.name))” misses \(entry.missingCount) of its photos: they "
          + "come back with their files.")
    }
    if !found.isUpToDate {
      print(
        "The index isn't up to date: \(found.newFiles.count) new files, "
          + "\(found.changedFiles.count) changed, \(found.vanishedFiles.count) gone.")
    }
    if !found.outdatedThumbnails.isEmpty {
      print(
        "\(found.outdatedThumbnails.count) photos have outdated thumbnails; “viewfinder library "
          + "thumbnails” makes new ones.")
    }
    if found.filesUnread > 0 {
      Terminal.warn(
        "\(found.filesUnread) files weren't read: their folders or disks can't be reached now.")
    }
    print(
      "\(found.filesRead) files read, \(found.filesCompared) of them compared with their "
        + "checksums, \(found.damagedFiles.count) damaged")
  }

  struct Report: Encodable {
    struct Finding: Encodable {
      var fileURL: String
      var error: String
      var goodSince: String?

      init(_ finding: VerificationReport.Finding) {
        (fileURL, error) = (finding.fileURL.absoluteString, finding.error.description)
        goodSince = finding.goodSince?.ISO8601Format()
      }
    }

    struct Incomplete: Encodable {
      var name: String
      var url: String
      var missing: Int
    }

    var healthy: Bool
    var filesRead: Int
    var filesCompared: Int
    var filesUnread: Int
    var damagedFiles: [Finding]
    var damagedAlbums: [Finding]
    var indexProblem: String?
    var problems: [String]
    var newFiles: [String]
    var changedFiles: [String]
    var vanishedFiles: [String]
    var incompleteAlbums: [Incomplete]
    var outdatedThumbnails: [String]

    init(_ found: VerificationReport) {
      healthy = found.isHealthy
      (filesRead, filesCompared, filesUnread) =
        (found.filesRead, found.filesCompared, found.filesUnread)
      damagedFiles = found.damagedFiles.map(Finding.init)
      damagedAlbums = found.damagedAlbums.map(Finding.init)
      indexProblem = found.indexProblem
      problems = found.problems.map(\.description)
      newFiles = found.newFiles.map(\.absoluteString)
      changedFiles = found.changedFiles.map(\.absoluteString)
      vanishedFiles = found.vanishedFiles.map(\.absoluteString)
      incompleteAlbums = found.incompleteAlbums.map {
        Incomplete(
          name: $0.album.name, url: $0.album.url.absoluteString, missing: $0.missingCount)
      }
      outdatedThumbnails = found.outdatedThumbnails.map(\.absoluteString)
    }
  }
}

extension VerificationReport {
  /// The exit code for the worst that was found; `nil` when all is well.
  fileprivate var exitStatus: Int32? {
    let unreadable = ((damagedFiles + damagedAlbums).map(\.error) + problems).map(\.exitStatus)
    if indexProblem != nil { return EX_DATAERR }
    return unreadable.max() ?? (isHealthy ? nil : EX_NOINPUT)
  }
}
