import ArgumentParser
// `stdout` is a variable in the eyes of Swift 6.
@preconcurrency @unsafe import Foundation
import TerminationSignals
import Viewfinder

/// The process: from the arguments to the exit code.
@main
enum Entry {
  static func main() async {
    // A reader that goes away is an error to handle, not the end of the process.
    _ = signal(SIGPIPE, SIG_IGN)
    // Each photo's line when the photo is there, through a pipe as well.
    unsafe setvbuf(stdout, nil, _IOLBF, 0)
    let work = Task { await ViewfinderTool.status() }
    let watch = Interruption.watch { work.cancel() }
    let status = await work.value
    withExtendedLifetime(watch) {}
    fflush(nil)
    exit(Interruption.signal.map { 128 + $0 } ?? status)
  }
}

/// The command-line tool: the library for people without code.
struct ViewfinderTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "viewfinder",
    abstract: "Takes photos with a camera, crops them to a card's outline, and keeps them.",
    discussion: """
      --simulate[=SCENE] and --replay PATH stand in for a camera everywhere.

      EXIT CODES
        0    done
        64   wrong usage, or a control value or outline that can't be
        65   a picture that is damaged or of an unsupported kind
        66   no such camera, input file, album or asset
        69   the camera is busy, gone, stalled or lacks the format
        74   a file can't be written or read
        77   no permission
        130  interrupted (SIGINT); 143: ended (SIGTERM)
      """,
    version: version,
    subcommands: [
      DevicesCommand.self, FormatsCommand.self, ControlsCommand.self, PhotoCommand.self,
      CropCommand.self, DetectCommand.self, StreamCommand.self, DemoCommand.self,
      LibraryCommand.self,
    ])

  @Flag(help: ArgumentHelp("Print the manual page, for man(1).", visibility: .hidden))
  var generateManual = false

  func run() async throws {
    guard generateManual else { throw CleanExit.helpRequest(self) }
    print(try ManualPage.render(Self._dumpHelp(), version: Self.version), terminator: "")
  }

  /// Runs the command that the arguments name, and returns the exit code.
  static func status() async -> Int32 {
    do {
      var command = try parseAsRoot(withOptionalValuesApart(ArgumentText.ofProcess))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      return report(error)
    }
  }

  /// The arguments as the parser understands them.
  ///
  /// Each `--simulate=SCENE` comes in two: swift-argument-parser 1.8.2 drops the value of an option that is a flag
  /// as well, if another option follows it. `--lossless` gets the value that it stands for: what follows is a file.
  static func withOptionalValuesApart(_ arguments: some Collection<String>) -> [String] {
    let option = "--simulate"
    return arguments.flatMap { argument in
      if argument == "--lossless" { return ["--lossless=\(LosslessCrop.Alignment.mcu.rawValue)"] }
      return argument.hasPrefix(option + "=")
        ? [option, String(argument.dropFirst(option.count + 1))] : [argument]
    }
  }

  /// Says on stderr what went wrong, or prints the help that was asked for.
  private static func report(_ error: any Error) -> Int32 {
    if error is ReportedFailure || error is CancellationError || Interruption.signal != nil {
      return (error as? ReportedFailure)?.exitStatus ?? 1
    }
    if let failure = Failure(error) {
      Terminal.warn(failure.message)
      return failure.exitStatus
    }
    let message = fullMessage(for: error)
    let status = exitCode(for: error).rawValue
    if status == 0 {
      if !message.isEmpty { print(message) }
    } else {
      let prefix = "Error: "
      let text = message.hasPrefix(prefix) ? message.dropFirst(prefix.count) : message[...]
      // The parser repeats what was typed, which may be anything.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      Terminal.warn(lines.map { Terminal.plain(String($0)) }.joined(separator: "\n"))
    }
    return status
  }
}
