import CViewfinder
import Foundation
import Testing

@Suite("Cropping along an outline") struct OutlineCropTests {
  static let card = Outline.rounded(10.5, 8, 85.6, 54, radius: 3.2)
  static let red = vf_color(red: 255, green: 0, blue: 0)
  static let redPlanes = [76, 85, 255]

  @Test("Outside the card is transparent, and its edges are blended", arguments: Layout.all)
  func transparency(layout: Layout) throws {
    let source = try ImageConversionTests.gradient(120, 80).converted(to: layout.fourcc)
    let cropped = try Self.card.crop(source)
    #expect((cropped.width, cropped.height) == (87, 54))
    #expect(cropped.hasAlpha)
    for (x, y) in [(0, 0), (86, 0), (0, 53), (86, 53)] { #expect(cropped[3, x, y] == 0) }
    #expect([cropped[3, 0, 27], cropped[3, 43, 0], cropped[3, 43, 27]] == [128, 255, 255])
    #expect((1...254).contains(cropped[3, 1, 1]))
    // The picture itself is untouched.
    let plain = try source.cropped(10, 8, 87, 54)
    #expect(cropped.bytes(ofPlane: 0) == plain.bytes(ofPlane: 0))
  }

  @Test(
    "Outside the card takes the background",
    arguments: [VF_I444, VF_I420, VF_I422, VF_YUYV, VF_NV12])
  func background(fourcc: UInt32) throws {
    let source = try ImageConversionTests.gradient(120, 80).converted(to: fourcc)
    let cropped = try Self.card.crop(source, background: Self.red)
    let plain = try source.cropped(10, 8, 87, 54)
    #expect(!cropped.hasAlpha)
    for plane in 0..<3 {
      let (columns, rows) = cropped.size(ofPlane: plane)
      #expect(abs(Int(cropped[plane, 0, 0]) - Self.redPlanes[plane]) <= (plane == 0 ? 0 : 45))
      #expect(cropped[plane, columns / 2, rows / 2] == plain[plane, columns / 2, rows / 2])
    }
    // Half covered: half of both.
    let (inside, outside) = (Int(plain[0, 0, 27]), Self.redPlanes[0])
    #expect(abs(Int(cropped[0, 0, 27]) - (inside + outside) / 2) <= 1)
  }

  @Test("Chroma is blended with the mean coverage of its pixels")
  func chromaBlend() throws {
    let source = try Picture(VF_I420, 16, 16) { plane, _, _ in [100, 100, 100][plane] }
    // The left edge covers a quarter of the first column.
    let cropped = try Outline.rectangle(2.75, 2, 9, 9).crop(source, background: Self.red)
    let share = (0.25 + 1) / 2
    let expected = share * 100 + (1 - share) * 255
    #expect(abs(Double(cropped[2, 0, 1]) - expected) <= 1)
    #expect(cropped[2, 1, 1] == 100)
  }

  @Test("A rectangle on whole pixels needs neither background nor transparency")
  func wholeRectangle() throws {
    let source = try ImageConversionTests.gradient(40, 30)
    for outline in [Outline.rectangle(3, 4, 20, 10), .rectangle(3.0004, 3.9996, 20, 10)] {
      let cropped = try outline.crop(source)
      #expect(!cropped.hasAlpha)
      #expect(cropped.samples == (try source.cropped(3, 4, 20, 10).samples))
      #expect(try outline.crop(source, background: Self.red).samples == cropped.samples)
    }
    // It reaches out of the picture on two sides: what is in sight is whole.
    let beyond = try Outline.rectangle(-3.5, -4.5, 23.5, 14.5).crop(source)
    #expect(!beyond.hasAlpha && beyond.width == 20 && beyond.height == 10)
    #expect(try Outline.rectangle(3.5, 4, 20, 10).crop(source).hasAlpha)
  }

  @Test("A crop of the part that was decoded is the crop of the whole", arguments: [0, 2, 4])
  func partOfPicture(offset: Int) throws {
    let source = try ImageConversionTests.gradient(120, 80).converted(to: VF_I420)
    let part = try source.cropped(offset, offset, 116 - offset, 76 - offset)
    for background in [nil, Self.red] {
      let whole = try Self.card.crop(source, background: background)
      let some = try Self.card.crop(
        part, of: (120, 80), at: (offset, offset), background: background)
      #expect(some.samples == whole.samples)
    }
  }

  @Test("A cut in the picture's own memory is the same as a crop", arguments: Layout.all)
  func cut(layout: Layout) throws {
    let part = try ImageConversionTests.gradient(117, 79).converted(to: layout.fourcc)
    let (size, outlines) = (
      (150, 90), [Self.card, .rectangle(21, 7, 30, 31), .ellipse(9, 9, 99, 66)]
    )
    for outline in outlines {
      for background in [nil, Self.red] {
        for origin in [(0, 0), (1, 0), (2, 3), (3, 2)] {
          let cropped = try outline.crop(part, of: size, at: origin, background: background)
          let cut = try outline.cut(part, of: size, at: origin, background: background)
          #expect(cut.image.fourcc == cropped.image.fourcc)
          #expect((cut.width, cut.height) == (cropped.width, cropped.height))
          #expect(cut.hasAlpha == cropped.hasAlpha)
          #expect(cut.samples == cropped.samples)
        }
      }
    }
  }

  @Test("A part that doesn't hold the outline is refused")
  func missingPart() throws {
    let part = try Picture(VF_I420, 60, 60)
    #expect(code { _ = try Self.card.crop(part, of: (120, 80), at: (0, 0)) } == EINVAL)
    #expect(code { _ = try Self.card.crop(part, of: (120, 80), at: (40, 0)) } == EINVAL)
    #expect(code { _ = try Self.card.crop(part, of: (120, 80), at: (4_000_000_000, 0)) } == EINVAL)
  }

  @Test("A picture's own transparency is kept")
  func ownAlpha() throws {
    let source = try Picture(VF_I444, 20, 20, alpha: true) { plane, x, _ in
      plane == 3 ? (x < 10 ? 100 : 255) : 50
    }
    let outline = Outline.rectangle(4.5, 4, 12, 12)
    let cropped = try outline.crop(source)
    #expect([0, 2, 9].map { cropped[3, $0, 5] } == [50, 100, 255])
    let painted = try outline.crop(source, background: Self.red)
    #expect(!painted.hasAlpha)
    let blended = (50 * 100 + 255 * 155) / 255
    #expect(abs(Int(painted[2, 2, 5]) - blended) <= 1)
  }

  @Test("A grey picture stays grey and takes the background's luma")
  func grey() throws {
    let source = try Picture(VF_GREY, 20, 20) { _, _, _ in 200 }
    let cropped = try Outline.ellipse(0, 0, 20, 20).crop(source, background: Self.red)
    #expect(cropped.image.fourcc == VF_GREY)
    #expect(cropped[0, 0, 0] == 76 && cropped[0, 10, 10] == 200)
  }
}
