// A photo app in miniature: albums, a grid, pictures and videos in full, and a camera that adds to them.
//
// usage: asset-navigator [--simulate] [--root PATH] …; see --help
import ArgumentParser
import PhotoStream
import ViewfinderPicker
import ViewfinderPages
import WebServing

@main struct AssetNavigator: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "asset-navigator", abstract: "The albums of a photo library on a page.")

  @OptionGroup var sources: PickerOptions
  @OptionGroup var server: ServerOptions

  func run() async throws {
    var configuration = try sources.configuration()
    // The app shows the library by itself, and wants the picker for its camera.
    configuration.sourceTypes = [.camera]
    configuration.editing = .free
    let page = PickerPage()
    let picker = ImagePicker(configuration, presenter: page)
    let library = NavigatorLibrary(configuration.libraryConfiguration)
    let roll = CameraRoll(picker, library)
    let shelf = ListShelf()
    let membership = StreamMembership(
      library,
      folder: configuration.libraryConfiguration.indexFolder
        ?? StreamSettings.defaultFolder)
    // The page is there at once, and tells how far the library is.
    Task { await library.followAuthorization() }
    Task { await membership.run() }

    try await WebServer(server.configuration).run { router in
      router.serveSharedAssets()
      page.add(picker, to: router)
      router.serve(Self.assets)
      EventRoutes(library, shelf).add(to: router)
      AlbumRoutes(library, shelf).add(to: router)
      PictureRoutes(library).add(to: router.blocking)
      EditingRoutes(library).add(to: router)
      CameraRoutes(roll).add(to: router)
      StreamRoutes(membership).add(to: router.blocking)
    }
  }

  private static let assets = [
    Asset("/", .html, PackageResources.navigator_html),
    Asset("/navigator.css", .css, PackageResources.navigator_css),
    Asset("/grid.css", .css, PackageResources.grid_css),
    Asset("/viewer.css", .css, PackageResources.viewer_css),
    Asset("/about.js", .javascript, PackageResources.about_js),
    Asset("/address.js", .javascript, PackageResources.address_js),
    Asset("/album.js", .javascript, PackageResources.album_js),
    Asset("/albums.js", .javascript, PackageResources.albums_js),
    Asset("/assets.js", .javascript, PackageResources.assets_js),
    Asset("/events.js", .javascript, PackageResources.events_js),
    Asset("/grid.js", .javascript, PackageResources.grid_js),
    Asset("/layout.js", .javascript, PackageResources.layout_js),
    Asset("/messages.js", .javascript, PackageResources.messages_js),
    Asset("/navigator.js", .javascript, PackageResources.navigator_js),
    Asset("/selection.js", .javascript, PackageResources.selection_js),
    Asset("/sheet.js", .javascript, PackageResources.sheet_js),
    Asset("/sight.js", .javascript, PackageResources.sight_js),
    Asset("/stage.js", .javascript, PackageResources.stage_js),
    Asset("/stream.js", .javascript, PackageResources.stream_js),
    Asset("/stream.css", .css, PackageResources.stream_css),
    Asset("/stream-photos.js", .javascript, PackageResources.stream_photos_js),
    Asset("/swipe.js", .javascript, PackageResources.swipe_js),
    Asset("/thumbnails.js", .javascript, PackageResources.thumbnails_js),
    Asset("/tile.js", .javascript, PackageResources.tile_js),
    Asset("/tiles.js", .javascript, PackageResources.tiles_js),
    Asset("/viewer.js", .javascript, PackageResources.viewer_js),
    Asset("/words.js", .javascript, PackageResources.words_js),
  ]
}
