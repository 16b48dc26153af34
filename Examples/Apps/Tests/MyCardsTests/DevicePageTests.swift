import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "Devices that join by a code", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct DevicePageTests {
  @Test(
    "Another device joins by the QR code on the first one's screen, or by its text, until it is removed"
  )
  func joins() async throws {
    let folders = try (0..<3).map { _ in try WalletVisit.newFolder() }
    defer { folders.forEach(Scratch.remove) }
    let backend = try await CardsBackend(in: folders[0])
    let first = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address], in: folders[0],
      environment: ["MY_CARDS_TOKEN": backend.token])
    let others = [
      try await WalletVisit.server(["--no-camera"], in: folders[1]),
      try await WalletVisit.server(["--no-camera"], in: folders[2]),
    ]
    let table = "_id,store\n1,Bakery\n"
    #expect(try await HTTPVisitor(first.address).ask("POST", "import", table) == 200)
    var codes: [String] = []
    try await Browser.open(.desktop) { browser in
      func visit(_ server: ServerProcess) async throws -> WalletVisit {
        try await browser.open(server.address)
        let visit = WalletVisit(browser: browser, server: server, folder: folders[0])
        try await browser.run("location.hash = '#/devices'")
        return visit
      }
      // A photo of the code on the screen.
      var page = try await visit(first)
      // A device comes while somebody types.
      try await page.fill("Name of the new device", "Pho")
      let visitor = HTTPVisitor(first.address)
      #expect(try await visitor.ask("POST", "devices", #"{"name":"Watch"}"#) == 200)
      #expect(try await visitor.ask("POST", "sync") == 200)
      try await page.see("Watch")
      let typed = try await browser.run("return document.querySelector('#device-name').value")
      #expect(typed.string == "Pho")
      let phone = try await page.invite("Phone")
      try await page.look("devices-code")
      try await page.photoOfCode().write(
        to: folders[1].appending(path: "Pictures/code.jpg"))
      let tablet = try await page.invite("Tablet")
      codes = [phone, tablet]
      let complaints = try await browser.complaints()
      #expect(complaints == [])

      page = try await visit(others[0])
      try await page.see("on this device alone")
      try await page.look("devices-alone")
      // A photo of anything else first.
      for (name, words) in [("photo.jpg", "no QR code"), ("code.jpg", "Your devices agree at")] {
        try await page.click(button: "Read the code")
        try await page.click("[data-name=photoLibrary]")
        try await page.click(".grid [aria-label='Photo \(name)']")
        try await page.wait("the photo", "document.querySelector('.edges-editor[data-ready]')")
        try await page.click("[data-do=usePhoto]")
        try await page.see(words)
      }

      page = try await visit(others[1])
      try await page.fill("The code’s text", "https://feeds.example/?token=1")
      try await page.click(button: "Join")
      try await page.see("That isn’t a device’s code.")
      try await page.fill("The code’s text", tablet)
      try await page.click(button: "Join")
      try await page.see("Your devices agree at \(backend.server.address)")
      try await page.look("devices")
      try await browser.run("location.hash = '#/'")
      try await page.see("Bakery")

      page = try await visit(first)
      try await page.see("Phone")
      // A device comes while somebody presses a button beside another: the press would be lost with the button.
      let button = "document.querySelector(\"[aria-label='Remove Phone']\")"
      try await browser.run("window.pressed = \(button)")
      #expect(try await visitor.ask("POST", "devices", #"{"name":"Radio"}"#) == 200)
      #expect(try await visitor.ask("POST", "sync") == 200)
      try await page.see("Radio")
      #expect(try await browser.run("return window.pressed === \(button)").bool == true)
      try await page.click("[aria-label='Remove Phone']")
      try await page.see("“Phone” gets and sends cards no more.")
      try await browser.open(others[0].address)
      try await page.see("Bakery")
      try await page.see("doesn’t know the token")
    }
    // The code is kept for the next start, for nobody else, and told nowhere.
    for server in others { #expect(await server.end() == 0) }
    let file = folders[2].appending(path: "wallet/server.json")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let again = try await WalletVisit.server(["--no-camera"], in: folders[2])
    try await HTTPVisitor(again.address).wait(for: "the devices", "devices") { report in
      report["devices"].array?.first { $0["isThis"].bool == true && $0["name"].string == "Tablet" }
    }
    for server in [first, again] { #expect(await server.end() == 0) }
    let outputs = [try await backend.end()] + (try await all([first, again] + others))
    for code in codes {
      let token = try #require(
        try JSONDecoder().decode(JSON.self, from: Data(code.utf8))["token"].string)
      #expect(token.count >= 16 && outputs.allSatisfy { !$0.contains(token) })
    }
  }

  @Test(
    "A wallet joins by the code that its camera reads steadily; nobody takes a photo",
    .enabled(if: !ImagePicker.availableCodeTypes.isEmpty, "the trait Barcodes is off"))
  func joinsLive() async throws {
    let folders = try (0..<3).map { _ in try WalletVisit.newFolder() }
    defer { folders.forEach(Scratch.remove) }
    let backend = try await CardsBackend(in: folders[0])
    let first = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address], in: folders[1],
      environment: ["MY_CARDS_TOKEN": backend.token])
    try await Browser.open(.desktop) { browser in
      try await browser.open(first.address)
      try await browser.run("location.hash = '#/devices'")
      let shown = WalletVisit(browser: browser, server: first, folder: folders[1])
      _ = try await shown.invite("Phone")
      let picture = folders[2].appending(component: "code.png")
      try await PixelBuffer(decoding: shown.photoOfCode()).pngData().write(to: picture)
      let phone = try await WalletVisit.server(["--replay", picture.path], in: folders[2])
      let page = WalletVisit(browser: browser, server: phone, folder: folders[2])
      try await browser.open(phone.address)
      try await browser.run("location.hash = '#/devices'")
      try await page.click(button: "Read the code")
      // Nobody presses anything.
      try await page.see("Your devices agree at \(backend.server.address)")
      try await page.wait("the end", "!document.querySelector('dialog.picker').open")
      // The picker may end while the page asks where its live picture lies.
      let complaints = try await browser.complaints()
      #expect(complaints.filter { !$0.contains("/picker/geometry?") } == [])
      #expect(await phone.end() == 0)
    }
    #expect(await first.end() == 0)
    _ = try await backend.end()
  }

  private func all(_ servers: [ServerProcess]) async throws -> [String] {
    var outputs: [String] = []
    for server in servers { outputs.append(await server.output) }
    return outputs
  }
}

extension WalletVisit {
  /// Lets a device in, and gives the text of the code that is shown.
  fileprivate func invite(_ name: String) async throws -> String {
    try await fill("Name of the new device", name)
    try await click(button: "Add a device")
    try await see("Read this on “\(name)”")
    try await wait("the QR code", "document.querySelector('.code-shown img')?.naturalWidth > 0")
    return try await browser.run("return document.querySelector('.code-shown textarea').value")
      .string
      ?? ""
  }

  /// The code as a camera sees it.
  fileprivate func photoOfCode() async throws -> Data {
    let png = try await browser.run(
      """
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1000, 700];
      const context = canvas.getContext("2d");
      context.fillStyle = "#888";
      context.fillRect(0, 0, 1000, 700);
      context.fillStyle = "#fff";
      context.fillRect(200, 50, 600, 600);
      context.drawImage(document.querySelector(".code-shown img"), 230, 80, 540, 540);
      return canvas.toDataURL("image/png").split(",")[1];
      """)
    return try PixelBuffer(decoding: Data(base64Encoded: png.string ?? "") ?? Data()).jpegData()
  }
}
