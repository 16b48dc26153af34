import CViewfinder
import Foundation
import Testing

@Suite("Simulated camera: scenes and controls")
struct SimulatorSceneTests {
  @Test("An unknown scene is refused, and named")
  func unknownScene() {
    let (code, words) = SimulatorRig.refusal(scene: "moon")
    #expect(code == EINVAL && words.contains("moon"))
  }

  @Test(
    "The card's true corners lie where its colour meets the table",
    arguments: [(640, 480), (1280, 720)], [100, 150])
  func corners(size: (UInt32, UInt32), zoom: Int64) throws {
    let rig = try SimulatorRig()
    try rig.open { grabber in
      try grabber.set(.zoom, zoom)
      try grabber.start(VF_YUYV, size.0, size.1)
      for wanted in [UInt32(9), 13, 18] {
        let picture = try grabber.picture(wanted)
        let corners = try rig.corners(picture.sequence, size.0, size.1)
        let middle = corners.reduce((0.0, 0.0)) { ($0.0 + $1.x / 4, $0.1 + $1.y / 4) }
        for i in 0..<4 {
          let (a, b) = (corners[i], corners[(i + 1) % 4])
          for t in [0.3, 0.4, 0.6, 0.7] {
            let edge = (a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
            // Along the line to the middle, the step from table to card.
            let length = hypot(middle.0 - edge.0, middle.1 - edge.1)
            func redness(_ distance: Double) -> Double? {
              let x = edge.0 + (middle.0 - edge.0) / length * distance
              let y = edge.1 + (middle.1 - edge.1) / length * distance
              guard x > 4, y > 4, x < Double(size.0) - 4, y < Double(size.1) - 4 else { return nil }
              let color = picture.color(x, y, radius: 1)
              return color[0] - color[2]
            }
            // The table is brown, the card blue: the difference changes its sign.
            guard let outside = redness(-5), let inside = redness(5) else { continue }
            #expect(outside > 0 && inside < 0, "edge \(i) at \(t) of frame \(picture.sequence)")
          }
        }
      }
    }
  }

  @Test("Mirrored, the corners are still named clockwise from the top left")
  func mirrored() throws {
    let rig = try SimulatorRig(scene: "steady")
    try rig.open { grabber in
      let plain = try rig.corners(0, 640, 480)
      try grabber.set(.horizontalFlip, 1)
      let across = try rig.corners(0, 640, 480)
      try grabber.set(.verticalFlip, 1)
      let turned = try rig.corners(0, 640, 480)
      for i in 0..<4 {
        #expect(abs(across[i ^ 1].x - (640 - plain[i].x)) < 1e-9)
        #expect(abs(across[i ^ 1].y - plain[i].y) < 1e-9)
        #expect(abs(turned[(i + 2) % 4].x - (640 - plain[i].x)) < 1e-9)
        #expect(abs(turned[(i + 2) % 4].y - (480 - plain[i].y)) < 1e-9)
      }
      #expect(turned[0].x < turned[1].x && turned[0].y < turned[3].y)
    }
  }

  @Test("Only scenes with a card tell its corners", arguments: ["bars", "grey"])
  func noCard(scene: String) throws {
    let rig = try SimulatorRig(scene: scene)
    do {
      _ = try rig.corners(0, 640, 480)
      Issue.record("corners of no card")
    } catch let failure as SimulatorFailure {
      #expect(failure.code == ENOENT)
    }
  }

  @Test("The same seed gives the same frames, another one others")
  func seeds() throws {
    func frames(_ seed: UInt32) throws -> [SimulatorPicture] {
      var frames: [SimulatorPicture] = []
      try SimulatorRig(seed: seed).open { grabber in
        try grabber.start(VF_GREY, 320, 240)
        for _ in 0..<12 { frames.append(try grabber.picture()) }
      }
      return frames
    }
    let first = try frames(1)
    #expect(try frames(1) == first)
    #expect(try frames(2)[11].bytes != first[11].bytes)
    #expect(first[10].bytes != first[11].bytes)
  }

  @Test("The hand shakes, slightly")
  func shake() throws {
    let rig = try SimulatorRig()
    let places = try (0..<UInt32(16)).map { try rig.corners($0, 640, 480)[0] }
    #expect(Set(places.map(\.x)).count > 2 && Set(places.map(\.y)).count > 2)
    #expect(places.map(\.x).max()! - places.map(\.x).min()! <= 16)
  }

  @Test("A steady scene doesn't change from frame to frame")
  func steady() throws {
    try SimulatorRig(scene: "steady").open { grabber in
      try grabber.start()
      let first = try grabber.picture()
      for _ in 0..<10 { #expect(try grabber.picture().bytes == first.bytes) }
    }
  }

  @Test("Automatic exposure settles from dark")
  func settles() throws {
    try SimulatorRig().open { grabber in
      try grabber.start()
      let levels = try (0..<12).map { _ in try grabber.picture().brightness }
      #expect(levels[0] < levels[8] * 0.6)
      for i in 1..<8 { #expect(levels[i] > levels[i - 1]) }
      #expect(abs(levels[11] - levels[9]) < 2)
    }
  }

  @Test("Grey is mid-grey, and bars are coloured")
  func plainScenes() throws {
    try SimulatorRig(scene: "grey").open { grabber in
      try grabber.start()
      #expect(try grabber.picture().means.allSatisfy { abs($0 - 128) < 1.5 })
    }
    try SimulatorRig(scene: "bars").open { grabber in
      try grabber.start()
      let picture = try grabber.picture()
      let expected: [[Double]] = [
        [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
        [0, 0, 191],
      ]
      for (i, color) in expected.enumerated() {
        let seen = picture.color((Double(i) + 0.5) * 640 / 7, 100)
        for channel in 0..<3 { #expect(abs(seen[channel] - color[channel]) < 4, "bar \(i)") }
      }
    }
  }

  @Test(
    "Controls change the picture as their names say",
    arguments: [
      (SimulatorControl.brightness, Int64(40), Int64(-40)), (.gain, 60, 0), (.flash, 2, 0),
      (.flash, 1, 0),
    ])
  func brighter(control: SimulatorControl, high: Int64, low: Int64) throws {
    try SimulatorRig(scene: "steady").open { grabber in
      try grabber.start()
      try grabber.set(control, low)
      let dark = try grabber.picture()
      try grabber.set(control, high)
      #expect(try grabber.picture().brightness > dark.brightness + 15)
    }
  }

  @Test("Manual exposure brightens and darkens; the automatic one refuses to be set")
  func exposure() throws {
    try SimulatorRig(scene: "steady").open { grabber in
      try grabber.start(VF_YUYV, 640, 480, rate: 5)
      do {
        try grabber.set(.exposure, 300)
        Issue.record("set while automatic")
      } catch let failure as SimulatorFailure { #expect(failure.code == EACCES) }
      let automatic = try grabber.picture()
      try grabber.set(.exposureAutomatic, 1)
      try grabber.set(.exposure, 40)
      #expect(try grabber.picture().brightness < automatic.brightness * 0.75)
      try grabber.set(.exposure, 400)
      #expect(try grabber.picture().brightness > automatic.brightness * 1.2)
    }
  }

  @Test("A long exposure slows the frames only where it may")
  func dynamicFramerate() throws {
    try SimulatorRig(scene: "steady", fullSpeed: false).open { grabber in
      try grabber.set(.exposureAutomatic, 1)
      try grabber.set(.exposure, 500)
      for (dynamic, interval) in [(Int64(0), Int64(16_666_666)), (1, 50_000_000)] {
        try grabber.set(.exposureDynamic, dynamic)
        try grabber.start(VF_GREY, 320, 240, rate: 60)
        let stamps = try (0..<3).map { _ in try grabber.next { ($0.sequence, $0.timestamp) } }
        let steps = Int64(stamps[2].0 - stamps[1].0)
        #expect(abs(stamps[2].1 - stamps[1].1 - steps * interval) <= 1000)
        grabber.stop()
      }
    }
  }

  @Test("White balance tints: a high setting makes the picture warmer")
  func whiteBalance() throws {
    try SimulatorRig(scene: "steady").open { grabber in
      try grabber.start()
      try grabber.set(.whiteBalanceAutomatic, 0)
      func warmth(_ kelvin: Int64) throws -> Double {
        try grabber.set(.whiteBalance, kelvin)
        let means = try grabber.picture().means
        return means[0] - means[2]
      }
      let neutral = try warmth(4600)
      #expect(try warmth(6500) > neutral + 15)
      #expect(try warmth(2800) < neutral - 15)
    }
  }

  @Test("Saturation 0 is grey; contrast 0 is flat")
  func saturation() throws {
    try SimulatorRig(scene: "bars").open { grabber in
      try grabber.start()
      try grabber.set(.saturation, 0)
      let grey = try grabber.picture()
      #expect(abs(grey.means[0] - grey.means[2]) < 0.5)
      try grabber.set(.contrast, 0)
      #expect(try grabber.picture().detail < 0.1)
    }
  }

  @Test("Focus away from the card blurs it, more the farther it is")
  func focus() throws {
    try SimulatorRig(scene: "steady").open { grabber in
      try grabber.start()
      let sharp = try grabber.picture().detail
      try grabber.set(.focusAutomatic, 0)
      #expect(try grabber.set(.focus, 61) == 60)
      #expect(abs(try grabber.picture().detail - sharp) < 0.01)
      try grabber.set(.focus, 120)
      let soft = try grabber.picture().detail
      try grabber.set(.focus, 250)
      let softer = try grabber.picture().detail
      #expect(soft < sharp * 0.7 && softer < soft * 0.8)
    }
  }

  @Test("Gain adds noise")
  func noise() throws {
    try SimulatorRig().open { grabber in
      try grabber.set(.brightness, -30)
      try grabber.start()
      let quiet = try grabber.picture(9).detail
      try grabber.set(.gain, 100)
      #expect(try grabber.picture().detail > quiet * 1.5)
    }
  }

  @Test("All controls are there, with values that they take back")
  func list() throws {
    try SimulatorRig().open { grabber in
      let controls = try grabber.controls()
      #expect(Set(controls.map(\.id)) == Set(SimulatorControl.allCases.map(\.rawValue)))
      for control in controls {
        #expect(control.value == control.default_value)
        #expect((control.minimum...control.maximum).contains(control.value))
        let inactive = control.flags & 0x10 != 0
        let governed: [SimulatorControl] = [.whiteBalance, .exposure, .focus]
        #expect(inactive == governed.map(\.rawValue).contains(control.id))
      }
    }
  }

  @Test("Integers round to a step; menus refuse what they don't list")
  func ranges() throws {
    try SimulatorRig().open { grabber in
      try grabber.set(.whiteBalanceAutomatic, 0)
      #expect(try grabber.set(.whiteBalance, 4206) == 4210)
      for (value, code) in [(Int64(2), EINVAL), (7, ERANGE)] {
        do {
          try grabber.set(.exposureAutomatic, value)
          Issue.record("menu took \(value)")
        } catch let failure as SimulatorFailure { #expect(failure.code == code) }
      }
    }
  }
}
