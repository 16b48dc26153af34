import CViewfinder
import Testing

@testable import Viewfinder

@Suite("Pixel formats") struct PixelFormatTests {
  @Test(
    "A named format is the core's of that name",
    arguments: [
      (.yuyv, "YUYV"), (.uyvy, "UYVY"), (.nv12, "NV12"), (.nv21, "NV21"), (.i420, "I420"),
      (.yv12, "YV12"), (.rgb24, "RGB24"), (.bgr24, "BGR24"), (.rgba32, "RGBA32"),
      (.bgra32, "BGRA32"), (.grey, "GREY"), (.mjpeg, "MJPEG"), (.jpeg, "JPEG"),
    ] as [(PixelFormat, String)])
  func names(format: PixelFormat, name: String) {
    let row = unsafe vf_layout_lookup(format.rawValue)
    let word = unsafe row.map { unsafe String(cString: $0.pointee.name) }
    #expect(word == name)
    #expect(PixelFormat.readable.contains(format) && format.isReadable)
  }

  @Test("What is read, what it costs and what it shows is the core's word")
  func properties() {
    #expect(PixelFormat.readable.count == 19)
    #expect(PixelFormat.readable.first == .yuyv && PixelFormat.readable.last == .grey)
    #expect(PixelFormat.readable.filter(\.isJPEG) == [.mjpeg, .jpeg])
    #expect(PixelFormat.readable.filter(\.hasAlpha) == [.bgra32, .rgba32])
    let byLoad: [PixelFormat] = [.mjpeg, .nv12, .yuyv, .rgb24, .bgra32, .grey]
    #expect(byLoad.map(\.load) == [4, 12, 16, 24, 32, 100])
    let h264 = PixelFormat("H264")!
    #expect(!h264.isReadable && !h264.isJPEG && !h264.hasAlpha && h264.load == 32)
    #expect(!PixelFormat("NV16")!.isReadable)
  }

  @Test("Every format that frames can be converted to is one that is read")
  func outputs() {
    #expect(CaptureVideoDataOutput().availablePixelFormats.filter { !$0.isReadable } == [])
  }
}
