import BrowserSupport
import Foundation
import GRDB
import ServerSupport
import Testing

@Suite(
  "Half-typed forms with photos", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletDraftTests {
  private static let front = "document.querySelector('[data-side=front] img')?.naturalWidth > 0"

  @Test("A form that was left a month ago has its photo still after a new start, and can be saved")
  func stays() async throws {
    try await WalletVisit.begin { visit in
      try await visit.half()
      try await visit.restartAfterAMonth {
        try await visit.wait("the name", "document.querySelector('#field-name')?.value === 'Half'")
        try await visit.wait("the photo", Self.front)
        try await visit.click("[type=submit]")
        try await visit.wait("the card", "location.hash.startsWith('#/card/')")
        try await visit.count(".photo-slots img", is: 1)
        // The card has it now.
        try await visit.drafts(are: 0)
      }
    }
  }

  @Test("Of a form that is given up, the program forgets the photos")
  func givenUp() async throws {
    try await WalletVisit.begin { visit in
      try await visit.half()
      try await visit.click(button: "Cancel")
      try await visit.click(button: "Discard")
      try await visit.drafts(are: 0)
    }
  }

  @Test("Where its photo is gone all the same, the form says so, has the rest and can be saved")
  func gone() async throws {
    try await WalletVisit.begin { visit in
      try await visit.half()
      for file in try visit.pictures() { try FileManager.default.removeItem(at: file) }
      try await visit.browser.run("location.reload()")
      try await visit.see("The photo isn’t here any more. Take it again.")
      try await visit.count("[data-side=front] img", is: 0)
      try await visit.wait("the name", "document.querySelector('#field-name').value === 'Half'")
      try await visit.click("[type=submit]")
      try await visit.wait("the card", "location.hash.startsWith('#/card/')")
      try await visit.see("Half")
    }
  }
}

extension WalletVisit {
  /// Fills in half a form, with a photo.
  fileprivate func half() async throws {
    try await showForm()
    try await fill("Name", "Half")
    try await takePhoto(of: "front")
    // The photo, and the one that it was cut out of.
    try await drafts(are: 2)
  }

  /// The files of pictures.
  fileprivate func pictures() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "wallet/pictures"), includingPropertiesForKeys: nil)
  }

  /// Waits until the program keeps a number of pictures for forms.
  fileprivate func drafts(are number: Int) async throws {
    let database = try DatabaseQueue(path: folder.appending(path: "wallet/cards.sqlite").path)
    var count: Int?
    try await ServerSupport.wait("\(number) drafts", last: { "There are \(count ?? 0)." }) {
      count = try await database.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM draft")
      }
      return count == number
    }
  }

  /// Starts the wallet anew where it was, as if all its pictures were a month old.
  fileprivate func restartAfterAMonth(_ body: () async throws -> Void) async throws {
    #expect(await server.end() == 0)
    for file in try pictures() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 30 * 86_400], ofItemAtPath: file.path)
    }
    let again = try await WalletVisit.server(
      WalletVisit.camera + ["--listen", "127.0.0.1:\(server.port)"], in: folder)
    try await browser.run("location.reload()")
    try await body()
    #expect(await again.end() == 0)
  }
}
