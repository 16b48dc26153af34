import ArgumentParser
import Foundation
import PhotoStream

extension PhotoStreamProgram {
  struct Keep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tells how long the stream has its photos, or chooses that for all devices.",
      discussion: """
        Without options it tells. What is beyond a bound leaves the stream within the hour, and stays in the libraries. \
        Programs of before keep to 30 days and 1,000 photos, and take out what is beyond: update them first.
        """)

    @Option(help: ArgumentHelp("For how many days it has each photo.", valueName: "number"))
    var days: Int?
    @Option(
      help: ArgumentHelp("How many photos it has at most, the newest.", valueName: "number"))
    var photos: Int?
    @Flag(help: "Has all photos for as long as the server has room.") var always = false
    @OptionGroup var place: Place

    func validate() throws {
      let chosen = StreamRetention(days: days, photos: photos)
      guard chosen.isPossible else {
        throw ValidationError(
          "--days is a number from 1 to \(StreamRetention.possibleDays.upperBound), "
            + "--photos one from 1 to \(StreamRetention.possiblePhotos.upperBound).")
      }
      guard !always || chosen == StreamRetention() else {
        throw ValidationError("--always has no bounds: leave out --days and --photos.")
      }
    }

    func run() async throws {
      let settings = try place.settings()
      let chosen = StreamRetention(days: days, photos: photos)
      if always || chosen != StreamRetention() { try await settings.setRetention(chosen) }
      tell(words(try await settings.retention()))
    }

    private func words(_ retention: StreamRetention) -> String {
      let photos = retention.photos.map { "the newest \($0) photos" }
      return switch (retention.days, photos) {
      case (let days?, let photos?): "The stream has \(photos), each for \(days) days."
      case (let days?, nil): "The stream has each photo for \(days) days."
      case (nil, let photos?): "The stream has \(photos)."
      case (nil, nil): "The stream has all photos, for as long as the server has room."
      }
    }
  }
}
