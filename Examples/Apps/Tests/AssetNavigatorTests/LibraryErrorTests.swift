import Testing
import ViewfinderLibrary
import WebServing

@Suite("What the library says")
struct LibraryErrorTests {
  private static let statuses: [(PhotoLibraryError, Int)] = [
    (.notFound(what: "such photo"), 404), (.invalidRequest(reason: "An album needs a name."), 400),
    (.damaged(what: "a.jpg", reason: "it is empty"), 422),
    (.unsupported(what: "a.dng", reason: "it has no picture"), 422),
    (.cannotRead(path: "/a", code: 2), 404), (.cannotRead(path: "/a", code: 13), 503),
    (.cannotWrite(path: "/a", code: 28), 503),
    (.notAuthorized(.noHome), 503),
  ]

  @Test("Programs get a status, people the library's words", arguments: statuses)
  func status(error: PhotoLibraryError, status: Int) {
    let answer = WebError(error)
    #expect(answer.status.code == status)
    #expect(answer.message == error.description)
  }
}
