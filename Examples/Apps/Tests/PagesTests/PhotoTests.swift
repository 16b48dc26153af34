import Foundation
import Testing
import Viewfinder

@testable import ViewfinderPages

@Suite("Photos and the guide") struct PhotoTests {
  @Test("A photo is a whole JPEG of the camera's picture")
  func wholePhoto() async throws {
    try await TestServer.run { server in
      let answer = try await server.ask("photo.jpg")
      #expect(answer.fields["content-type"] == "image/jpeg")
      let picture = try PixelBuffer(decoding: answer.body)
      #expect(picture.dimensions == Dimensions(width: 640, height: 480))
    }
  }

  @Test("The guide over the whole picture is the outline “card”", arguments: [0, 90, 180, 270])
  func guide(rotation: Int) async throws {
    try await TestServer.run(rotation: rotation) { server in
      for mirrored in [false, true] {
        let answer = try await server.ask("geometry?width=900&height=700&mirrored=\(mirrored)")
        let guide = try JSONDecoder().decode(GuideReport.self, from: answer.body)
        let byGuide = try await server.ask("photo.jpg?outline=\(guide.outline)")
        let byName = try await server.ask("photo.jpg?outline=card")
        let (a, b) = (
          try PixelBuffer(decoding: byGuide.body), try PixelBuffer(decoding: byName.body)
        )
        try #require(a.dimensions == b.dimensions)
        #expect(try a.meanDifference(from: b) < 2)
      }
    }
  }

  @Test("A photo of the guide is that part of the whole photo")
  func cropped() async throws {
    try await TestServer.run { server in
      let answer = try await server.ask("geometry?width=300&height=600&gravity=fill")
      let guide = try JSONDecoder().decode(GuideReport.self, from: answer.body)
      // In a narrow view that is filled the guide is narrow, too: 240 of its 300 points across,
      // of a picture that is 800 points wide there.
      #expect(abs(guide.picture.width - 800) < 0.01)
      #expect(abs(guide.guide.width - 240) < 0.01)
      let photo = try await server.ask("photo.jpg?outline=\(guide.outline)")
      #expect(try PixelBuffer(decoding: photo.body).dimensions.width == 640 * 240 / 800)
    }
  }

  @Test(
    "What is no outline, or no view, is refused in words",
    arguments: [
      "photo.jpg?outline=", "photo.jpg?outline=heart", "photo.jpg?outline=rect:1,2,3",
      "photo.jpg?outline=rect:0,0,0,1", "photo.jpg?outline=rect:nan,0,1,1",
      "photo.jpg?outline=rounded:0,0,1,1", "photo.jpg?outline=rect:0,0,1e300,1",
      "photo.jpg?outline=rect:700,500,10,10",
      "geometry", "geometry?width=10&height=-1", "geometry?width=inf&height=1",
      "geometry?width=1&height=1&gravity=up",
    ])
  func refused(path: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.ask(path)
      #expect(answer.status == 400)
      #expect(answer.error?.isEmpty == false)
    }
  }
}

extension PixelBuffer {
  /// The mean difference of the bytes of two pictures of a size, from 0 to 255.
  func meanDifference(from other: PixelBuffer) throws -> Double {
    let (a, b) = (try converted(to: .rgb24), try other.converted(to: .rgb24))
    let width = dimensions.width * 3
    let first = a.bytes(), second = b.bytes()
    var sum = 0
    for row in 0..<dimensions.height {
      for column in 0..<width {
        let x = first[row * a.bytesPerRow() + column], y = second[row * b.bytesPerRow() + column]
        sum += abs(Int(x) - Int(y))
      }
    }
    return Double(sum) / Double(width * dimensions.height)
  }
}
