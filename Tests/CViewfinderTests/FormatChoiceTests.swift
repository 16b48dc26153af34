import CViewfinder
import Foundation
import Testing

@Suite("Choosing a format") struct FormatChoiceTests {
  static let yuyv = fourcc("YUYV"), mjpeg = fourcc("MJPG"), nv12 = fourcc("NV12")

  /// A UVC camera as they are sold: raw is fast only when small.
  static let webcam =
    [(640, 480), (1280, 720), (1920, 1080)].flatMap { width, height in
      [
        mode("YUYV", width, height, every: (1, width == 640 ? 30 : width == 1280 ? 10 : 5)),
        mode("MJPG", width, height, every: (1, 30)),
        mode("MJPG", width, height, every: (1, 15)),
      ]
    }

  @Test(
    "Raw is taken where it reaches the rate, MJPEG where it can't",
    arguments: [
      (640, 480, 30, "YUYV"), (1280, 720, 30, "MJPG"), (1280, 720, 10, "YUYV"),
      (1920, 1080, 30, "MJPG"), (1920, 1080, 5, "YUYV"), (1920, 1080, 15, "MJPG"),
    ])
  func rawUntilTooSlow(width: Int, height: Int, rate: Int, name: String) throws {
    let chosen = try choose(Self.webcam, wish(width, height, every: (1, rate)))
    #expect(text(chosen.fourcc) == name)
    #expect(chosen.width == UInt32(width) && chosen.height == UInt32(height))
    #expect(chosen.interval.denominator >= UInt32(rate))
  }

  @Test("The slowest rate that reaches the wish is enough")
  func noFasterThanNeeded() throws {
    let chosen = try choose(Self.webcam, wish(1920, 1080, every: (1, 15)))
    #expect(chosen.interval.denominator == 15)
  }

  @Test("A size without a rate counts as 30 frames a second")
  func rateUnknown() throws {
    #expect(text(try choose(Self.webcam, wish(640, 480)).fourcc) == "YUYV")
    #expect(text(try choose(Self.webcam, wish(1280, 720)).fourcc) == "MJPG")
    let fast = [mode("YUYV", 640, 480, every: (1, 120)), mode("YUYV", 640, 480, every: (1, 30))]
    #expect(try choose(fast, wish(640, 480)).interval.denominator == 30)
  }

  @Test("No wish at all is the largest picture at its fastest")
  func nothingWanted() throws {
    let chosen = try choose(Self.webcam, vf_format())
    #expect(chosen.width == 1920 && chosen.height == 1080)
    #expect(text(chosen.fourcc) == "MJPG")
    #expect(chosen.interval.denominator == 30)
  }

  @Test("The largest picture may have an area that no integer holds")
  func hugeArea() throws {
    let largest = Int(UInt32.max)
    let modes = [(largest, largest), (640, 480)].map { mode("YUYV", $0, $1, every: (1, 30)) }
    #expect(try choose(modes, vf_format()).width == UInt32.max)
  }

  @Test("A format that is named is taken even where it is slow")
  func namedFormat() throws {
    let chosen = try choose(Self.webcam, wish(1920, 1080, every: (1, 30), fourcc: Self.yuyv))
    #expect(text(chosen.fourcc) == "YUYV")
    #expect(chosen.interval.denominator == 5)
  }

  @Test("A named format that the camera lacks is only a preference")
  func missingFormat() throws {
    let chosen = try choose(Self.webcam, wish(640, 480, fourcc: Self.nv12))
    #expect(text(chosen.fourcc) == "YUYV")
  }

  @Test(
    "Another size than offered gives the smallest that covers it, else the largest",
    arguments: [
      (800, 600, 1280, 720), (1280, 700, 1280, 720), (1300, 10, 1920, 1080),
      (4000, 3000, 1920, 1080), (100, 100, 640, 480), (640, 481, 1280, 720),
    ])
  func coveringSize(width: Int, height: Int, chosenWidth: Int, chosenHeight: Int) throws {
    let chosen = try choose(Self.webcam, wish(width, height))
    #expect(chosen.width == UInt32(chosenWidth) && chosen.height == UInt32(chosenHeight))
  }

  @Test(
    "Rates that differ by a thousandth are the same",
    arguments: [
      ((1001, 30000), (1, 30)), ((1, 30), (1001, 30000)), ((333_333, 10_000_000), (1, 30)),
    ])
  func fractions(offered: (Int, Int), wanted: (Int, Int)) throws {
    let modes = [mode("YUYV", 640, 480, every: offered), mode("MJPG", 640, 480, every: (1, 60))]
    let chosen = try choose(modes, wish(640, 480, every: wanted))
    #expect(text(chosen.fourcc) == "YUYV")
    #expect(chosen.interval.numerator == UInt32(offered.0))
    #expect(chosen.interval.denominator == UInt32(offered.1))
  }

  @Test(
    "Within a range the size is rounded up to the driver's steps",
    arguments: [
      (640, 480, 640, 480), (641, 479, 656, 480), (10, 10, 48, 32), (5000, 5000, 4000, 3000),
      (0, 0, 4000, 3000), (3999, 2999, 4000, 3000),
    ])
  func stepwiseSizes(width: Int, height: Int, chosenWidth: Int, chosenHeight: Int) throws {
    var range = mode("YUYV", 48, 32, every: (1, 30))
    (range.max_width, range.max_height) = (4000, 3000)
    (range.width_step, range.height_step) = (16, 2)
    let chosen = try choose([range], wish(width, height))
    #expect(chosen.width == UInt32(chosenWidth) && chosen.height == UInt32(chosenHeight))
  }

  /// Wishes, steps and what is granted.
  ///
  /// Apart from the test, whose macro would take seconds to compile.
  static let ranges: [((Int, Int), (Int, Int), Double)] = [
    ((1, 30), (0, 0), 1.0 / 30), ((1, 500), (0, 0), 1.0 / 120), ((5, 1), (0, 0), 1.0),
    ((1, 30), (1, 100), 3.0 / 100 + 1.0 / 120 - 1.0 / 100), ((1, 7), (0, 0), 1.0 / 7),
  ]

  @Test(
    "Within a range of intervals the wish itself is granted, rounded to the driver's steps",
    arguments: ranges)
  func intervalRanges(wanted: (Int, Int), step: (Int, Int), seconds: Double) throws {
    var range = mode("YUYV", 640, 480, every: (1, 120))
    range.max_interval = vf_interval(numerator: 1, denominator: 1)
    range.interval_step = vf_interval(numerator: UInt32(step.0), denominator: UInt32(step.1))
    let interval = try choose([range], wish(640, 480, every: wanted)).interval
    #expect(abs(Double(interval.numerator) / Double(interval.denominator) - seconds) < 1e-6)
  }

  @Test("Emulated formats come after the camera's own")
  func emulatedLast() throws {
    var emulated = mode("RGB3", 640, 480, every: (1, 30))
    emulated.flags = 2
    let own = mode("MJPG", 640, 480, every: (1, 30))
    #expect(text(try choose([emulated, own], wish(640, 480)).fourcc) == "MJPG")
    #expect(text(try choose([emulated], wish(640, 480)).fourcc) == "RGB3")
  }

  @Test("Formats that can't be read are passed over")
  func unreadable() throws {
    let modes = [mode("H264", 1920, 1080, every: (1, 30)), mode("YUYV", 640, 480, every: (1, 30))]
    #expect(text(try choose(modes, wish(1920, 1080)).fourcc) == "YUYV")
  }

  @Test("Colour is preferred to grey")
  func greyLast() throws {
    let modes = [mode("GREY", 640, 480, every: (1, 30)), mode("MJPG", 640, 480, every: (1, 30))]
    #expect(text(try choose(modes, wish(640, 480)).fourcc) == "MJPG")
  }

  @Test("A camera that doesn't tell its rate is asked for the one wanted")
  func unknownRate() throws {
    let chosen = try choose([mode("YUYV", 640, 480, every: (0, 0))], wish(640, 480, every: (1, 25)))
    #expect(chosen.interval.denominator == 25)
  }

  @Test(
    "Nothing readable is not supported",
    arguments: [
      [], [mode("H264", 640, 480, every: (1, 30))], [mode("YUYV", 0, 480, every: (1, 30))],
    ])
  func nothing(modes: [vf_mode]) {
    #expect(throws: Failed(code: ENOTSUP)) { try choose(modes, wish(640, 480)) }
  }
}

/// A call that failed.
struct Failed: Error, Equatable, CustomStringConvertible {
  var code: Int32
  var description = ""

  init(code: Int32) { self.code = code }

  init(_ failure: vf_failure) {
    code = failure.code
    description = words(failure)
  }

  static func == (left: Failed, right: Failed) -> Bool { left.code == right.code }
}

func fourcc(_ name: String) -> UInt32 {
  name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

func text(_ fourcc: UInt32) -> String {
  String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * $0)) }, as: UTF8.self)
}

func mode(_ name: String, _ width: Int, _ height: Int, every interval: (Int, Int)) -> vf_mode {
  var mode = vf_mode()
  mode.fourcc = fourcc(name)
  mode.flags = name == "MJPG" ? 1 : 0
  (mode.min_width, mode.max_width, mode.width_step) = (UInt32(width), UInt32(width), 1)
  (mode.min_height, mode.max_height, mode.height_step) = (UInt32(height), UInt32(height), 1)
  mode.min_interval = vf_interval(
    numerator: UInt32(interval.0), denominator: UInt32(interval.1))
  mode.max_interval = mode.min_interval
  return mode
}

func wish(
  _ width: Int, _ height: Int, every interval: (Int, Int) = (0, 0), fourcc: UInt32 = 0
) -> vf_format {
  var wish = vf_format()
  wish.fourcc = fourcc
  (wish.width, wish.height) = (UInt32(width), UInt32(height))
  wish.interval = vf_interval(
    numerator: UInt32(interval.0), denominator: UInt32(interval.1))
  return wish
}

func choose(_ modes: [vf_mode], _ wanted: vf_format) throws -> vf_format {
  var wanted = wanted, chosen = vf_format(), failure = vf_failure()
  guard vf_format_choose(modes, modes.count, &wanted, &chosen, &failure) == 0 else {
    throw Failed(failure)
  }
  return chosen
}
