import ArgumentParser
import Foundation
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker

/// Which cameras and photos a program picks from.
public struct PickerOptions: ParsableArguments {
  @OptionGroup var camera: CameraOptions

  @Flag(help: "Do without a camera, as on a machine that has none.")
  var noCamera = false

  @Flag(help: "Show the live picture as a mirror does; photos stay as they are.")
  var mirror = false

  @Option(
    help: ArgumentHelp(
      "A folder with the photo library. (default: the desktop's folder for pictures)",
      valueName: "path"))
  var root: String?

  @Option(
    help: ArgumentHelp(
      "Where the library's index is kept. (default: the person's own data folder)",
      valueName: "path"))
  var index: String?

  /// Creates options for the parser to fill.
  public init() {}

  /// What a picker offers with these options.
  ///
  /// - Throws: Why there is no such camera.
  public func configuration() throws -> ImagePicker.Configuration {
    var configuration = ImagePicker.Configuration()
    configuration.cameras = noCamera ? [] : try camera.devices()
    configuration.videoRotationAngle = camera.rotate
    if mirror { configuration.mirrorsPreview = true }
    if let root {
      configuration.libraryConfiguration.roots = [URL(fileURLWithPath: root, isDirectory: true)]
    }
    if let index {
      let folder = URL(fileURLWithPath: index, isDirectory: true)
      configuration.libraryConfiguration.indexFolder = folder
      configuration.libraryConfiguration.thumbnailFolder = folder.appending(component: "thumbnails")
    }
    return configuration
  }
}
