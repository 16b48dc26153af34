import CardModel
import CardStore
import Foundation
import Testing
import Viewfinder

@testable import CardExchange

/// In processes of their own, because what is looked for ends them.
@Suite("Files that somebody has changed") struct ImportFuzzTests {
  @Test("Whatever a table says, it is read or refused in words")
  func tables() async {
    await #expect(processExitsWith: .success) {
      let table = Data(CatimaTests.table.utf8)
      var mutations = Mutations(seed: 20_261_125)
      for _ in 0..<20_000 {
        let text = String(decoding: mutations.mutated(table), as: UTF8.self)
        do {
          let cards = try CatimaTable(parsing: text).cards
          // What came in goes out, and comes in again.
          _ = try CatimaTable(parsing: CatimaTable(cards.map(\.card)).text)
        } catch is ExchangeError {}
      }
    }
  }

  @Test(
    "Whatever an archive has, its cards come in or it is refused in words, and the wallet stays whole"
  )
  func archives() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory
        .appending(component: "viewfinder-fuzz-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try CardStore(folder: folder)
      let size = Dimensions(width: 32, height: 20)
      let png = try PixelBuffer(
        pixelFormat: .grey, dimensions: size, data: Data(repeating: 80, count: size.area)
      ).pngData()
      let archive = try TestZip.make([
        ("catima.csv", Data(CatimaTests.table.utf8)), ("card_1_front.png", png),
        ("card_7_back.png", png),
      ])
      let file = folder.appending(component: "cards.zip")
      var mutations = Mutations(seed: 20_261_126)
      var read = 0
      for _ in 0..<2_000 {
        try mutations.mutated(archive).write(to: file)
        do {
          _ = try CatimaImport(file).run(into: store)
          read += 1
        } catch is ExchangeError {} catch is CardStoreError {}
      }
      let cards = try store.cards(.all)
      guard read > 0, cards.allSatisfy(\.problems.isEmpty) else { exit(1) }
      let export = try CatimaExport(of: store)
      while try await export.next() != nil {}
    }
  }
}

/// Changes of bytes, the same for the same seed: flipped bits, numbers that are too large, parts left out, doubled
/// or swapped.
private struct Mutations {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  private static let words = [
    "1e18", "inf", "-inf", "nan", "-1", "99999999999999999999", "9223372036854775807", "1e-400",
    "253402300800000", "\"", ",", "\r\n", "\r\n\r\n", "\0", "\u{feff}", "é́́", "-9223372036854775808",
  ].map { Data($0.utf8) }

  mutating func mutated(_ data: Data) -> Data {
    var data = data
    for _ in 0...below(4) {
      let start = below(data.count)
      let range = start..<min(start + below(40), data.count)
      switch below(6) {
      case 0: data[start] ^= 1 << UInt8(below(8))
      case 1: data[start] = UInt8(below(256))
      case 2: data.removeSubrange(range)
      case 3: data.insert(contentsOf: data[range], at: start)
      case 4: data.replaceSubrange(range, with: Self.words[below(Self.words.count)])
      default: data.insert(contentsOf: Self.words[below(Self.words.count)], at: start)
      }
      if data.isEmpty { return data }
    }
    return data
  }
}
