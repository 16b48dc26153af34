import CMeasure
import CViewfinder

/// What taking a frame and giving it back costs, beside what the camera itself takes; also a JPEG, which is looked at,
/// and a frame that is encoded, and one in which a card is sought.
///
/// The simulated camera shows a still picture, so that its own work is a few instructions.
func grab(samples: Int) throws -> ([Measurement], isSteady: Bool) {
  let raw = try Stream(scene: "steady", fourcc: VF_YUYV, width: 1920, height: 1080)
  let coded = try Stream(scene: "steady", fourcc: VF_MJPEG, width: 1920, height: 1080)
  let uncounted = measure_allocations()
  let encoder = try Encoder(quality: 80, restartsPerRow: 0)
  precondition(measure_allocations() > uncounted, "allocations aren't counted")
  let eye = try Eye()

  var all = try [
    steady("take a frame, give it back", frames: 1000, samples) { try raw.next { _ in } },
    steady("the same, of JPEGs", frames: 1000, samples) { try coded.next { _ in } },
    steady("and look for a card", frames: 20, samples) {
      try raw.next { frame in
        var view = try raw.view(of: frame)
        _ = try eye.candidate(in: &view)
      }
    },
  ]
  // Where this processor has nothing better, libjpeg encodes, which allocates.
  if vf_kernels_current().pointee.encodes != 0 {
    all.append(
      try steady("and encode it", frames: 20, samples) {
        try raw.next { frame in
          var view = try raw.view(of: frame)
          _ = try encoder.encode(&view)
        }
      })
  }
  printTable(
    "A frame of the simulated camera, 1920 x 1080 YUYV, taken and given back",
    ["", "median us", "best us", "limit us", "allocations", "page faults"],
    zip(all, ["20", "", "", ""]).map { method, limit in
      [
        method.measured.method, (1000 * method.measured.median).text(2),
        (1000 * method.measured.best).text(2), limit, method.allocations.text(3),
        method.pageFaults.text(3),
      ]
    })
  return (all.map(\.measured), all.allSatisfy(\.isSteady))
}

/// What a method takes for each frame, in a long row of them.
private struct Steady {
  let measured: Measurement
  let allocations: Double
  let pageFaults: Double

  /// Nothing is allocated for a frame, and no page comes anew: a page now and then is one that the system took away.
  var isSteady: Bool { allocations == 0 && pageFaults < 0.1 }
}

private func steady(
  _ method: String, frames: Int, _ samples: Int, _ body: () throws -> Void
) throws -> Steady {
  for _ in 0..<100 { try body() }
  var allocations: UInt64 = 0
  var pageFaults: UInt64 = 0
  var times: [Double] = []
  // The array of times has its room: what is counted is the method's.
  times.reserveCapacity(samples)
  for _ in 0..<samples {
    let (allocated, faulted) = (measure_allocations(), measure_page_faults())
    let start = measure_cpu_time()
    for _ in 0..<frames { try body() }
    times.append(Double(measure_cpu_time() - start) / 1e6 / Double(frames))
    allocations += measure_allocations() - allocated
    pageFaults += measure_page_faults() - faulted
  }
  let count = Double(frames * samples)
  return Steady(
    measured: Measurement(
      job: "grab", method: method, median: median(times), best: times.min() ?? 0, ratio: nil,
      bytes: 0),
    allocations: Double(allocations) / count, pageFaults: Double(pageFaults) / count)
}
