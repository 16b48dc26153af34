import CViewfinder
import Foundation
import Testing

@Suite("Shrinker") struct ShrinkerTests {
  private static func shrunk(_ picture: CodecPicture, _ width: UInt32, _ height: UInt32) throws
    -> CodecPicture
  {
    var failure = vf_failure()
    let image = picture.image
    guard
      let shrinker = vf_shrinker_create(
        image.fourcc, image.width, image.height, width, height, &failure)
    else { throw CodecFailure(failure) }
    defer { vf_shrinker_destroy(shrinker) }
    for y in 0..<Int(image.height) {
      vf_shrinker_add(shrinker, image.planes.0.data! + y * image.planes.0.stride)
    }
    return CodecPicture(vf_shrinker_take(shrinker))
  }

  @Test(
    "Rows that come one by one make the picture that the whole makes",
    arguments: [
      (1, 1), (7, 5), (50, 30), (52, 31), (53, 31), (53, 1), (1, 31), (27, 31), (53, 16),
    ] as [(UInt32, UInt32)])
  func sameAsWhole(width: UInt32, height: UInt32) throws {
    let grey = try CodecPicture.scene(VF_GREY, 53, 31)
    var expected = vf_image()
    try attempt { vf_image_scale(&expected, &grey.image, width, height, &$0) }
    let samples = try Self.shrunk(grey, width, height).samples
    // It rounds across before down, not down before across.
    let distances = zip(samples, CodecPicture(expected).samples).map { abs(Int($0) - Int($1)) }
    #expect(distances.allSatisfy { $0 < 2 })
    #expect(samples.count == Int(width * height))
  }

  @Test("An even picture stays exactly as it is", arguments: [VF_GREY, VF_RGB24, VF_RGBA32])
  func even(fourcc: UInt32) throws {
    let picture = try CodecPicture(fourcc, 211, 97)
    let plane = picture.image.planes.0
    for place in 0..<plane.stride * 97 { plane.data![place] = 77 }
    #expect(try Self.shrunk(picture, 13, 96).samples.allSatisfy { $0 == 77 })
  }

  @Test("What would grow, is empty or has another layout is refused")
  func refusals() {
    var failure = vf_failure()
    for (fourcc, width, height) in [
      (VF_GREY, 11, 10), (VF_GREY, 10, 11), (VF_GREY, 0, 1), (VF_GREY, 1, 0), (VF_I420, 5, 5),
    ] as [(UInt32, UInt32, UInt32)] {
      #expect(vf_shrinker_create(fourcc, 10, 10, width, height, &failure) == nil)
      #expect(failure.code == EINVAL)
    }
  }

  @Test("Rows that are missing are black, and those too many are ignored")
  func otherRows() throws {
    var failure = vf_failure()
    let shrinker = try #require(vf_shrinker_create(VF_GREY, 4, 4, 2, 2, &failure))
    defer { vf_shrinker_destroy(shrinker) }
    for _ in 0..<2 { vf_shrinker_add(shrinker, [9, 9, 9, 9]) }
    #expect(CodecPicture(vf_shrinker_take(shrinker)).samples == [9, 9, 0, 0])
    for _ in 0..<9 { vf_shrinker_add(shrinker, [9, 9, 9, 9]) }
  }
}
