import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "The wallet in the hand", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletFlowTests {
  @Test("A name is enough for a card; until it is there, the reason stands beside Save")
  func withoutPhoto() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.see("Leave the plastic at home")
      try await visit.showForm()
      try await visit.see("To save, give the card a name.")
      try await visit.click("[type=submit]")
      try await visit.wait(
        "the focus in the field", "document.activeElement.getAttribute('aria-invalid') === 'true'")
      try await visit.fill("Name", "Corner bakery")
      try await visit.fill("Number", "4006381333931")
      try await visit.see("Bar code EAN-13")
      try await visit.click("[type=submit]")
      try await visit.wait("the card", "location.hash.startsWith('#/card/')")
      try await visit.see("4 006381 333931")
    }
  }

  @Test("A balance is changed where it is read, and Undo brings the one before back")
  func balance() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.browser.run(
        """
        const changes = { name: "Canteen", balance: "12.50", balanceType: "EUR" };
        await fetch(`/cards/${crypto.randomUUID()}`, {
          method: "PUT", headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ changes, before: {}, isNew: true }),
        });
        """)
      try await visit.open("Canteen")
      try await visit.see("€12.50")
      try await visit.click("[aria-label='Change the balance']")
      try await visit.see("Balance in EUR")
      try await visit.browser.type("x" + Key.enter, into: "#balance")
      try await visit.see("A balance is a number such as 12.50.")
      try await visit.browser.run("document.querySelector('#balance').value = ''")
      try await visit.browser.type("7,25" + Key.enter, into: "#balance")
      try await visit.see("€7.25")
      try await visit.click(button: "Undo")
      try await visit.see("€12.50")
      // It is no change of another device.
      try await visit.count(".conflict", is: 0)
    }
  }

  @Test("A half-typed form is there again, until it is given up by hand")
  func halfTyped() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.showForm()
      try await visit.fill("Name", "Half")
      try await visit.browser.run("location.reload()")
      try await visit.wait("the name", "document.querySelector('#field-name')?.value === 'Half'")
      try await visit.click(button: "Cancel")
      try await visit.see("Keep what you typed?")
      try await visit.click(button: "Discard")
      try await visit.showForm()
      try await visit.wait("no name", "document.querySelector('#field-name')?.value === ''")
    }
  }

  @Test("At the till each module of a code is a whole number of pixels, within the screen")
  func till() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.browser.change(to: .phone)
      try await visit.addCard("Market", number: "4006381333931")
      try await visit.browser.run("location.hash = location.hash.replace('card', 'till')")
      try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
      let measures = try await visit.browser.run(
        """
        const code = document.querySelector("img.code");
        const { left, right, width } = code.getBoundingClientRect();
        return [code.naturalWidth, width, left, innerWidth - right];
        """)
      let (modules, width) = (measures[0].number ?? 0, measures[1].number ?? 0)
      // 95 modules, and 11 and 7 of the quiet zone at least.
      #expect(modules >= 113)
      #expect(width / modules == (width / modules).rounded() && width / modules >= 2)
      #expect((measures[2].number ?? -1) >= 0 && (measures[3].number ?? -1) >= 0)
      try await visit.browser.press(Key.escape)
      try await visit.wait("no till", "!document.querySelector('.till')")
    }
  }

  @Test("A deleted card comes back by Undo, and from the recently deleted ones")
  func deleted() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      for way in ["toast", "list"] {
        try await visit.addCard("Zoo \(way)")
        try await visit.click(".bar [aria-label=More]")
        try await visit.click(button: "Delete")
        try await visit.text(".toast", contains: "is deleted.")
        if way == "toast" {
          try await visit.click(".toast button")
        } else {
          try await visit.browser.run("location.hash = '#/deleted'")
          try await visit.see("30 days left")
          try await visit.click(button: "Restore")
        }
        try await visit.browser.run("location.hash = '#/'")
        try await visit.see("Zoo \(way)")
      }
    }
  }

  @Test(
    "Where the program is reached and doesn't answer, cards and codes are there after a moment; its own come when it does"
  )
  func unanswered() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.addCard("Market", number: "4006381333931")
      try await visit.browser.run("location.hash = '#/settings'")
      try await visit.see("1 card, 0 photos")
      try await visit.wait("the worker", "navigator.serviceWorker.controller !== null")
      let process = visit.server.identifier
      kill(process, SIGSTOP)
      defer { kill(process, SIGCONT) }
      try await visit.browser.open(visit.server.address)
      try await visit.see("Offline")
      try await visit.click(".cards a")
      try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
      kill(process, SIGCONT)
      try await visit.browser.press(Key.escape)
      try await visit.wait(
        "the program's cards",
        "document.querySelector('.cards li') && !document.body.innerText.includes('Offline')")
    }
  }

  @Test("With the program ended the cards are at the till, and the page says that it is offline")
  func offline() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.addCard("Market", number: "4006381333931")
      try await visit.browser.run("location.hash = '#/settings'")
      try await visit.see("1 card, 0 photos")
      #expect(await visit.server.end() == 0)
      try await visit.browser.open(visit.server.address)
      try await visit.see("Offline")
      try await visit.click(".cards a")
      try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
    }
  }
}
