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
    let roll = CameraRoll(picker, page, library)
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
      var events = PageEvents()
      page.add(picker, to: router, events: &events)
      router.serve(Self.assets)
      PageTopics(library, shelf, membership).add(to: &events)
      events.add(to: router)
      ListRoutes(library, shelf).add(to: router)
      AlbumRoutes(library).add(to: router.blocking)
      SearchRoutes(library).add(to: router)
      PictureRoutes(library).add(to: router.blocking)
      EditingRoutes(library).add(to: router)
      CropRoutes(library).add(to: router)
      TrashRoutes(library).add(to: router.blocking)
      CameraRoutes(roll).add(to: router)
      StreamRoutes(membership).add(to: router.blocking)
    }
  }

  private static let assets = [
    Asset("/about.js", .javascript, PackageResources.about_js),
    Asset("/actions.js", .javascript, PackageResources.actions_js),
    Asset("/address.js", .javascript, PackageResources.address_js),
    Asset("/albums.js", .javascript, PackageResources.albums_js),
    Asset("/app.js", .javascript, PackageResources.app_js),
    Asset("/asked.js", .javascript, PackageResources.asked_js),
    Asset("/assets.js", .javascript, PackageResources.assets_js),
    Asset("/banners.js", .javascript, PackageResources.banners_js),
    Asset("/beside.js", .javascript, PackageResources.beside_js),
    Asset("/crop-frame.js", .javascript, PackageResources.crop_frame_js),
    Asset("/crop.js", .javascript, PackageResources.crop_js),
    Asset("/days.js", .javascript, PackageResources.days_js),
    Asset("/film.js", .javascript, PackageResources.film_js),
    Asset("/format.js", .javascript, PackageResources.format_js),
    Asset("/gestures.js", .javascript, PackageResources.gestures_js),
    Asset("/grid.js", .javascript, PackageResources.grid_js),
    Asset("/in-parts.js", .javascript, PackageResources.in_parts_js),
    Asset("/key-lists.js", .javascript, PackageResources.key_lists_js),
    Asset("/layout.js", .javascript, PackageResources.layout_js),
    Asset("/list-page.js", .javascript, PackageResources.list_page_js),
    Asset("/menu.js", .javascript, PackageResources.menu_js),
    Asset("/months.js", .javascript, PackageResources.months_js),
    Asset("/", .html, PackageResources.navigator_html),
    Asset("/photos.css", .css, PackageResources.photos_css),
    Asset("/questions.js", .javascript, PackageResources.questions_js),
    Asset("/scrubber.js", .javascript, PackageResources.scrubber_js),
    Asset("/search-words.js", .javascript, PackageResources.search_words_js),
    Asset("/search.js", .javascript, PackageResources.search_js),
    Asset("/selection.js", .javascript, PackageResources.selection_js),
    Asset("/sight.js", .javascript, PackageResources.sight_js),
    Asset("/sizes.js", .javascript, PackageResources.sizes_js),
    Asset("/slideshow.js", .javascript, PackageResources.slideshow_js),
    Asset("/stage.js", .javascript, PackageResources.stage_js),
    Asset("/stream-choices.js", .javascript, PackageResources.stream_choices_js),
    Asset("/stream-devices.js", .javascript, PackageResources.stream_devices_js),
    Asset("/stream-photos.js", .javascript, PackageResources.stream_photos_js),
    Asset("/stream.js", .javascript, PackageResources.stream_js),
    Asset("/thumbnails.js", .javascript, PackageResources.thumbnails_js),
    Asset("/tile.js", .javascript, PackageResources.tile_js),
    Asset("/tiles.js", .javascript, PackageResources.tiles_js),
    Asset("/trash.js", .javascript, PackageResources.trash_js),
    Asset("/video.js", .javascript, PackageResources.video_js),
    Asset("/viewer.css", .css, PackageResources.viewer_css),
    Asset("/viewer.js", .javascript, PackageResources.viewer_js),
    Asset("/words.js", .javascript, PackageResources.words_js),
  ]
}
