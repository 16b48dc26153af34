import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Discovery") struct Discovery {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test("Single- and multi-planar nodes are cameras alike") func planes() throws {
      let layouts = vivid.devices.map { Set($0.formats.map(\.pixelFormat)) }
      // In memory of two pieces, which single-planar nodes can't hand out.
      let nm12 = try #require(PixelFormat("NM12"))
      #expect(!layouts[0].contains(nm12) && layouts[1].contains(nm12))
      #expect(layouts[0].isSubset(of: layouts[1]))
    }

    @Test("Only nodes that capture video are cameras") func discovery() throws {
      let paths = Set(vivid.devices.map(\.path))
      let others = try FileManager.default.contentsOfDirectory(atPath: "/dev")
        .filter { $0.hasPrefix("video") && !paths.contains("/dev/\($0)") }
      #expect(!others.isEmpty, "The fourth device has nodes of all kinds.")
      for node in others {
        #expect("\(node)") {
          _ = try CaptureDevice.named("/dev/\(node)")
        } throws: { error in
          if case CaptureError.notACamera("/dev/\(node)", _, _) = error { true } else { false }
        }
      }
      #expect(Set(vivid.devices.map(\.uniqueID)).count == 4)
    }
  }
}
