import ArgumentParser
import Foundation
import PhotoStream

extension PhotoStreamProgram {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the photos of the stream that aren't here, the newest first.",
      discussion:
        "A line has the beginning of the photo's hash, its size in bytes, its device, its name, and where its preview is."
    )

    @OptionGroup var place: Place

    func run() async throws {
      for offered in try await place.open().offered() {
        let (photo, preview) = (offered.photo, offered.preview?.path ?? "no preview yet")
        tell(
          "\(photo.name.text.prefix(12)) \(photo.size) \(photo.device) \(photo.fileName): \(preview)\(offered.isComing ? ", coming" : "")"
        )
      }
    }
  }

  struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Asks for photos that don't come by themselves; they come when watch runs.")

    @Argument(help: ArgumentHelp("The beginnings of their hashes.", valueName: "hash"))
    var hashes: [String] = []
    @Flag(help: "Asks for all.") var all = false
    @OptionGroup var place: Place

    func run() async throws {
      let stream = try await place.open()
      let names = try await stream.offered().map(\.photo.name).filter { name in
        all || hashes.contains { !$0.isEmpty && name.text.hasPrefix($0) }
      }
      try await stream.ask(for: names)
      tell("\(names.count) will come.")
    }
  }
}
