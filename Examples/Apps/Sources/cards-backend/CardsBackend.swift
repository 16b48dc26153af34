// `feed-server` by the name that it had when wallets alone used it.
//
// usage: cards-backend --data FOLDER --add-token NAME [--device NAME]
//        cards-backend --data FOLDER [--listen HOST:PORT]; see --help
import ArgumentParser
import FeedServer
import WebServing

@main struct CardsBackend: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "cards-backend",
    abstract: "Keeps people's cards for their wallets: feed-server by its first name.")

  @OptionGroup var options: FeedServerOptions

  func run() async throws { try await options.run(defaultFolder: "cards-backend") }
}
