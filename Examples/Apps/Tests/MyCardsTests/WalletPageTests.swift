import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

@Suite(
  "The wallet's page", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletPageTests {
  @Test("A first card: the page says what is missing, cuts photos to the card, and keeps it all")
  func firstCard() async throws {
    let folder = try WalletVisit.newFolder()
    try await WalletVisit.begin(in: folder) { visit in
      try await visit.see("Leave the plastic at home")
      try await visit.look("empty")
      try await visit.click("a.primary")
      try await visit.see("To save, give the card a name.")
      try await visit.look("new")
      try await visit.browser.type("Corner bakery", into: "#field-name")
      try await visit.takePhoto(of: "front")
      try await visit.takePhoto(of: "back")
      try await visit.look("filled")
      let front = try await visit.picture("[data-side=front] img")
      // A card's proportions: 85.60 × 53.98 mm.
      let ratio = Double(front.dimensions.width) / Double(front.dimensions.height)
      #expect(abs(ratio - 1.5858) < 0.02)
      try await visit.click("[type=submit]")
      try await visit.see("Corner bakery")
      try await visit.count(".photo-slots img", is: 2)
      try await visit.look("detail")
      try await visit.click(".slot[data-side=front]")
      try await visit.wait(
        "full screen", "document.querySelector('.whole[open] img')?.naturalWidth")
      try await visit.look("full")
      try await visit.browser.press(Key.escape)
      try await visit.browser.run("location.hash = '#/'")
      try await visit.count(".cards li", is: 1)
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
      #expect(await visit.server.end() == 0)
      // The next start has it all.
      let again = try await WalletVisit.server(WalletVisit.camera, in: folder)
      try await visit.browser.open(again.address)
      try await visit.count(".cards img", is: 1)
      try await visit.see("Corner bakery")
      try await visit.look("list")
    }
  }

  @Test("A photo of the library is cut out along edges that are shown, and its original is kept")
  func fromTheLibrary() async throws {
    // The simulated camera shows a card, whose photo may be taken before anybody turns to the library.
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.click("[data-side=front] > button")
      try await visit.click("[data-name=photoLibrary]")
      try await visit.click(".grid button")
      // There is no card in it: the whole photo is marked.
      try await visit.see("Drag the dots onto the card’s corners")
      try await visit.wait("the photo", "document.querySelector('.edges-editor[data-ready]')")
      try await visit.look("edges")
      let moved = "document.querySelector('.edges').getAttribute('points')"
      let before = try await visit.browser.run("return \(moved)")
      try await visit.browser.run("document.querySelectorAll('.handle')[2].focus()")
      try await visit.browser.press("\u{e012}")
      #expect(try await visit.browser.run("return \(moved)") != before)
      try await visit.click("[data-do=turnRight]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait(
        "the front", "document.querySelector('[data-side=front] img')?.naturalWidth > 0")
      let front = try await visit.picture("[data-side=front] img")
      // Turned by a quarter.
      #expect(abs(Double(front.dimensions.width) / Double(front.dimensions.height) - 0.75) < 0.02)
      let kept = try FileManager.default.subpathsOfDirectory(
        atPath: visit.folder.appending(path: "wallet").path
      ).filter { $0.hasSuffix(".jpg") }
      #expect(kept.count == 2, "the crop and the original")
    }
  }

  @Test("Cards are changed, found by words and groups, starred, put away, deleted and brought back")
  func daily() async throws {
    try await WalletVisit.begin { visit in
      try await visit.addCard("Zoo")
      try await visit.click("a[href^='#/edit/']")
      try await visit.wait("the name", "document.querySelector('#field-name').value === 'Zoo'")
      try await visit.fill("Number", "4006381333931")
      try await visit.fill("Kind of code", "EAN_13")
      try await visit.fill("Balance", "12,50")
      try await visit.fill("In", "eur")
      try await visit.fill("Valid until", "2020-01-31")
      try await visit.fill("Note", "Elephants <b>at noon</b>")
      try await visit.click("[type=submit]")
      try await visit.see("€12.50")
      try await visit.see("Elephants <b>at noon</b>")
      try await visit.addCard("Aquarium")
      try await visit.browser.run("location.hash = '#/'")
      try await visit.count(".cards li", is: 2)
      try await visit.see("Ended")
      try await visit.look("two")
      try await visit.browser.type("ELEPH", into: "[type=search]")
      try await visit.count(".cards li", is: 1)
      try await visit.open("Zoo")
      try await visit.click("[aria-label=Favourite]")
      try await visit.wait("the star", "document.querySelector('.bar [aria-pressed=true]')")
      try await visit.click(".bar [aria-label=More]")
      try await visit.click(button: "Delete")
      // What it says and does stays there when it has vanished, after ten seconds.
      try await visit.text(".toast", contains: "“Zoo” is deleted.")
      try await visit.count(".cards li", is: 0)
      try await visit.look("deleted")
      try await visit.browser.run("document.querySelector('.toast button').click()")
      try await visit.count(".cards li", is: 1)
      try await visit.open("Zoo")
      try await visit.see("Elephants")
      try await visit.click(".bar [aria-label=More]")
      try await visit.click(button: "Archive")
      try await visit.see("is in the archive")
      try await visit.browser.run("location.hash = '#/'")
      try await visit.clearSearch()
      try await visit.count(".cards li", is: 1)
      try await visit.see("Aquarium")
      try await visit.browser.run("location.hash = '#/archive'")
      try await visit.see("Zoo")
    }
  }

  @Test("The bar code is read from the photo, and drawn large for the till")
  func barcode() async throws {
    let folder = try WalletVisit.newFolder()
    let scene = folder.appending(component: "scene.jpg")
    try BarcodeSample.photo(of: "4006381333931", .ean13).write(to: scene)
    try await WalletVisit.begin(["--replay", scene.path], in: folder) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.browser.type("Market", into: "#field-name")
      try await visit.takePhoto(of: "front")
      try await visit.wait(
        "the number",
        "document.querySelector('#field-cardId').value === '4006381333931'")
      try await visit.takePhoto(of: "back")
      try await visit.click("[type=submit]")
      try await visit.click("a.wide")
      try await visit.wait("the till", "document.querySelector('.till img')?.naturalWidth > 0")
      try await visit.look("till")
    }
  }

  @Test("Catima's file comes in from the page, which tells what became of it")
  func imports() async throws {
    try await WalletVisit.begin { visit in
      for (table, words) in [
        ("_id,store,cardid\\n1,Bakery,1\\n2,Zoo,2\\n", "2 cards are new."),
        ("_id,store,cardid\\n1,Bakery,1\\n", "1 was here already."),
        ("nonsense", "This isn’t an export of Catima"),
      ] {
        try await visit.browser.run(
          """
          const files = new DataTransfer();
          files.items.add(new File(["\(table)"], "catima.csv"));
          const input = document.querySelector("[type=file]");
          input.files = files.files;
          input.dispatchEvent(new Event("change"));
          """)
        try await visit.see(words)
      }
      try await visit.count(".cards li", is: 2)
    }
  }

  @Test("A name with markup or of ten thousand characters runs nothing and loses nothing")
  func names() async throws {
    try await WalletVisit.begin { visit in
      let markup = "<img src=x onerror=\"document.title='run'\">"
      try await visit.addCard(markup)
      try await visit.see(markup)
      try await visit.browser.run("location.hash = '#/'")
      try await visit.see(markup)
      try await visit.wait("the title", "document.title === 'Cards'")
      try await visit.open(markup)
      try await visit.click("a[href^='#/edit/']")
      try await visit.wait("the name", "document.querySelector('#field-name').value !== ''")
      try await visit.fill("Name", String(repeating: "n", count: 10_000))
      try await visit.click("[type=submit]")
      try await visit.see("It has 10,000 characters; make it 200 at most.")
      #expect(
        try await visit.browser.run("return document.querySelector('#field-name').value.length")
          == 10_000)
      try await visit.look("refused")
    }
  }

  @Test("A photo is shown that is told of before the answer which says what it is of")
  func overtaken() async throws {
    try await WalletVisit.begin { visit in
      try await visit.browser.run(
        """
        const real = window.fetch;
        window.fetch = async (path, options) => {
          const answer = await real(path, options);
          if (String(path).endsWith("/photos")) await new Promise((resolve) => setTimeout(resolve, 5000));
          return answer;
        };
        location.hash = "#/new";
        """)
      try await visit.wait("the editor", "document.querySelector('.stack-form')")
      try await visit.takePhoto(of: "front")
      try await visit.takePhoto(of: "back")
    }
  }
}
