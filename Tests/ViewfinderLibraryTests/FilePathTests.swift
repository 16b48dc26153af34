import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct FilePathTests {
  @Test func namesFoldersAndStemsAreTakenApart() {
    let path: FilePath = "/a/b.c/IMG_1.tar.JPG"
    #expect(path.name == "IMG_1.tar.JPG")
    #expect(path.folder == "/a/b.c")
    #expect(path.stem == "IMG_1.tar")
    #expect(path.pathExtension == "jpg")
    #expect(FilePath("/x").folder == "/")
    #expect(FilePath("/.hidden").pathExtension == "")
    #expect(path.isInside("/a") && path.isInside("/") && !path.isInside("/a/b"))
    #expect(path.relative(to: "/a") == "b.c/IMG_1.tar.JPG")
  }

  @Test func bytesThatAreNoTextSurviveAURL() {
    let path = FilePath(bytes: Array("/a/".utf8) + [0xff, 0xfe, 0x0a] + Array("é 😀.jpg".utf8))
    #expect(FilePath(path.url) == path)
  }

  @Test func uriIsTheOneOfTheThumbnailSpecification() {
    #expect(FilePath("/home/jens/photos/me.png").uri == "file:///home/jens/photos/me.png")
    #expect(FilePath("/a b/ü;#?%.jpg").uri == "file:///a%20b/%C3%BC%3B%23%3F%25.jpg")
  }
}
