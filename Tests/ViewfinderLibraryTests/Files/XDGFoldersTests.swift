import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct XDGFoldersTests {
  private func pictures(_ line: String) -> FilePath? {
    XDGFolders.userFolder("XDG_PICTURES_DIR", in: Array(line.utf8), home: "/home/me")
  }

  @Test(
    "A line of user-dirs.dirs is read as xdg-user-dirs reads it",
    arguments: [
      (#"XDG_PICTURES_DIR="$HOME/Bilder""#, "/home/me/Bilder"),
      (#"  XDG_PICTURES_DIR = "/data/Meine Bilder/""#, "/data/Meine Bilder"),
      (#"XDG_PICTURES_DIR="$HOME/a\"b\$c""#, #"/home/me/a"b$c"#),
      ("XDG_PICTURES_DIR=\"$HOME/Imágenes\"\nXDG_MUSIC_DIR=\"$HOME/Music\"", "/home/me/Imágenes"),
      ("XDG_PICTURES_DIR=\"/a\"\nXDG_PICTURES_DIR=\"/b\"", "/b"),
      (#"XDG_PICTURES_DIR="/""#, "/"),
    ])
  func folder(line: String, expected: String) {
    #expect(pictures(line) == FilePath(expected))
  }

  @Test(
    "What isn't set, or not as it must be, is no folder",
    arguments: [
      #"XDG_PICTURES_DIR="$HOME/""#, #"XDG_PICTURES_DIR="$HOME""#, #"XDG_PICTURES_DIR="Pictures""#,
      #"XDG_PICTURES_DIR=$HOME/Pictures"#, #"XDG_PICTURES_DIR="$HOMER/Pictures""#,
      #"XDG_PICTURES_DIR="/open"#, #"XDG_PICTURES_DIR="/open\"#, #"# XDG_PICTURES_DIR="/a""#,
      #"XDG_PICTURES_DIRS="/a""#, "XDG_PICTURES_DIR=\"/a\0b\"", "", "\"", "=",
    ])
  func noFolder(line: String) {
    #expect(pictures(line) == nil)
  }

  @Test func theLocalisedFolderIsFoundInTheConfigurationAndElsePictures() throws {
    let folder = try ScratchFolder()
    let environment = ["HOME": "/home/me", "XDG_CONFIG_HOME": folder.path.description]
    #expect(XDGFolders(environment: environment).pictures == "/home/me/Pictures")
    try folder.write("user-dirs.dirs", "# comment\nXDG_PICTURES_DIR=\"$HOME/Изображения\"\n")
    #expect(XDGFolders(environment: environment).pictures == "/home/me/Изображения")
    try folder.write("user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/\"\n")
    #expect(XDGFolders(environment: environment).pictures == "/home/me/Pictures")
  }

  @Test func relativeValuesAreIgnored() {
    let folders = XDGFolders(environment: [
      "HOME": "/h", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "./c",
    ])
    #expect(folders.data == "/h/.local/share")
    #expect(folders.cache == "/h/.cache")
    #expect(folders.config == "/h/.config")
    #expect(XDGFolders(environment: ["XDG_DATA_HOME": "/d"], defaultHome: nil).data == "/d")
  }

  @Test func withoutAHomeThereIsNothingToFallBackTo() {
    let folders = XDGFolders(environment: ["HOME": "nowhere"], defaultHome: nil)
    #expect(folders.home == nil && folders.pictures == nil && folders.data == nil)
    #expect(XDGFolders(environment: [:], defaultHome: "/u").pictures == "/u/Pictures")
    // The password file knows whoever runs the tests.
    #expect(XDGFolders(environment: [:]).home?.bytes.first == UInt8(ascii: "/"))
  }
}
