import CMeasure
import CViewfinder
import Foundation

/// Encoders in programs of their own: what a frame takes is the CPU time of a run with many frames, less that
/// of a run with few.
///
/// Those that aren't installed are left out by name; `Scripts/bench --peers` installs them.
func programs(samples: Int) throws -> [Measurement] {
  let folder = FileManager.default.temporaryDirectory.appending(
    component: "viewfinder-programs-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  let (width, height, few, many) = (1920, 1080, 4, 64)
  let scenes = try Scene.frames(width: width, height: height, count: 4)
  let rows = scenes.map { $0.yuyv.packedRows(bytesPerRow: 2 * width) }
  let files = try [few, many].map { count in
    let url = folder.appending(component: "\(count).yuyv")
    try (0..<count).reduce(into: Data()) { $0.append(rows[$1 % rows.count]) }.write(to: url)
    return url
  }

  let rawVideo = ["-f", "rawvideo", "-pix_fmt", "yuyv422", "-s", "\(width)x\(height)"]
  let commands: [(name: String, program: String, arguments: (URL) -> [String])] = [
    (
      "GStreamer, jpegenc", "gst-launch-1.0",
      {
        [
          "-q", "filesrc", "location=\($0.path)", "blocksize=\(2 * width * height)", "!",
          "rawvideoparse", "format=yuy2", "width=\(width)", "height=\(height)", "framerate=30/1",
          "!", "jpegenc", "quality=80", "!", "fakesink",
        ]
      }
    ),
    (
      "ffmpeg, mjpeg -q:v 4", "ffmpeg",
      {
        ["-loglevel", "error", "-nostdin", "-threads", "1"] + rawVideo + [
          "-i", $0.path, "-pix_fmt", "yuvj422p", "-threads", "1", "-c:v", "mjpeg", "-q:v", "4",
          "-f", "null", "-",
        ]
      }
    ),
  ]
  let encoder = try Encoder(quality: 80, restartsPerRow: 0)
  var all: [Measurement] = []
  for command in commands {
    guard let program = Tool(command.program) else {
      print("\n\(command.name) was left out: \(command.program) isn't installed (--peers does it).")
      continue
    }
    var times: (peer: [Double], own: [Double]) = ([], [])
    // Each sample starts a program twice.
    for _ in 0..<min(samples, 15) {
      let frames = Double(many - few)
      let peer =
        try program.time(command.arguments(files[1]))
        - program.time(
          command.arguments(files[0]))
      times.peer.append(peer / frames)
      let begin = measure_cpu_time()
      for number in few..<many {
        _ = try encoder.encode(&scenes[number % scenes.count].yuyv.image)
      }
      times.own.append(Double(measure_cpu_time() - begin) / 1e6 / frames)
    }
    let job = "\(command.program) \(width)x\(height)"
    let measured = [
      Measurement(
        job: job, method: command.name, median: median(times.peer), best: times.peer.min() ?? 0,
        ratio: 1, bytes: 0),
      Measurement(
        job: job, method: "viewfinder 4:2:2", median: median(times.own),
        best: times.own.min() ?? 0,
        ratio: median(zip(times.own, times.peer).map { $0 / $1 }), bytes: 0),
    ]
    printTable("YUYV \(width) x \(height) to JPEG by another program, a frame", measured)
    all += measured
  }
  return all
}

/// A program in `PATH`.
private struct Tool {
  private let url: URL

  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { URL(filePath: String($0)).appending(component: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { return nil }
    url = found
  }

  /// The CPU time of a run, in milliseconds.
  func time(_ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    let before = measure_children_cpu_time()
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TurboJPEG.Failure(
        description: "\(url.lastPathComponent) failed with \(process.terminationStatus).")
    }
    return Double(measure_children_cpu_time() - before) / 1e6
  }
}
