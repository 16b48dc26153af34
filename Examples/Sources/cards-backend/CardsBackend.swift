// Keeps people's cards for their wallets: versioned records and pictures, each person's for their token.
//
// usage: cards-backend --data FOLDER --add-token NAME
//        cards-backend --data FOLDER [--listen HOST:PORT]; see --help
import ArgumentParser
import Foundation
import WebInterface

@main struct CardsBackend: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "cards-backend",
    abstract: "Keeps people's cards for their wallets.",
    discussion: """
      Make a token for each person with --add-token, then run it without. The connection isn't encrypted: for more \
      than a network that you trust, put a server with TLS before it.
      """)

  @Option(help: ArgumentHelp("Where everything is kept.", valueName: "folder"))
  var data = "cards-backend"

  @Option(help: ArgumentHelp("Where to listen.", valueName: "host[:port]"))
  var listen = ListenAddress(host: "127.0.0.1", port: 8090)

  @Option(
    help: ArgumentHelp(
      "Prints a new token for a person and ends; the one before, if any, is void.",
      valueName: "name"))
  var addToken: String?

  @Option(help: ArgumentHelp("How many records a person may have.", valueName: "number"))
  var maximumRecords = 10_000

  @Option(help: ArgumentHelp("How many megabytes a person may have.", valueName: "MB"))
  var quota = 1000

  func run() async throws {
    let folder = URL(fileURLWithPath: data, isDirectory: true)
    let database = try BackendDatabase(in: folder)
    if let addToken {
      let token = AccessToken()
      try await database.setToken(token.text, for: addToken)
      return print(token.text)
    }
    let quota = Quota(records: maximumRecords, bytes: quota * 1_000_000)
    try await BackendServer(address: listen, database: database).run { router in
      RecordRoutes(database: database, quota: quota).add(to: router)
      PictureRoutes(database: database, quota: quota, folder: folder).add(to: router)
    }
  }
}

/// How much a person may have.
struct Quota: Sendable {
  var records: Int
  /// Of records and pictures together.
  var bytes: Int
  /// Of one record.
  let recordBytes = 1_000_000
  /// Of one picture.
  let pictureBytes = 16 << 20
}
