import ArgumentParser
import Foundation
import ViewfinderLibrary

/// Assets of a library.
struct AssetArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The assets: IDs or URLs, or files of theirs.", valueName: "asset"))
  var names: [Path]

  func find(in library: PhotoLibrary) async throws -> [Asset] {
    var assets: [Asset] = []
    for name in names { assets.append(try await library.asset(named: name)) }
    return assets
  }
}

extension Value {
  static func albumName(_ text: String) throws -> String {
    guard !ArgumentText.isBytes(text) else {
      throw ArgumentProblem("the name of an album is text in UTF-8.")
    }
    return text
  }
}
