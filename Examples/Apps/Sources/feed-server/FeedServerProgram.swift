// Keeps what people's devices share: cards, photos, and the files that belong to them, each person's for their tokens.
//
// usage: feed-server --data FOLDER --add-token NAME [--device NAME]
//        feed-server --data FOLDER [--listen HOST:PORT]; see serve --help
//        feed-server copy --from FOLDER --records postgres://…
import ArgumentParser
import FeedServer
import WebServing

@main struct FeedServerProgram: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "feed-server",
    abstract: "Keeps what people's devices share: cards and photos.",
    subcommands: [Serve.self, CopyCommand.self], defaultSubcommand: Serve.self)
}

extension FeedServerProgram {
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serves, or makes a token.",
      discussion: """
        Make a token for each person with --add-token, then run it without. The connection isn't encrypted: for more \
        than a network that you trust, put a server with TLS before it.
        """)

    @OptionGroup var options: FeedServerOptions

    func run() async throws { try await options.run(defaultFolder: "feed-server") }
  }
}
