import ArgumentParser
import Foundation

/// An example that serves pages.
public protocol WebProgram: AsyncParsableCommand {}

extension WebProgram {
  /// Runs the program with the arguments of the process.
  public static func main() async {
    // A visitor who goes away is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    await main(withScenesApart(CommandLine.arguments.dropFirst()))
  }

  /// The arguments with each `--simulate=SCENE` in two: swift-argument-parser 1.8.2 drops the value
  /// of an option that is a flag as well, if another option follows it.
  private static func withScenesApart(_ arguments: some Collection<String>) -> [String] {
    let option = "--simulate"
    return arguments.flatMap { argument in
      argument.hasPrefix(option + "=")
        ? [option, String(argument.dropFirst(option.count + 1))] : [argument]
    }
  }
}
