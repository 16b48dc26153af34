import CViewfinder
import Glibc
import Testing

/// Bytes that end where memory does: reading or writing one more faults.
///
/// The memory is there as long as the object: lend `start` within `withExtendedLifetime`.
private final class GuardedBytes {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let length: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    let page = 4096
    length = (count + page - 1) / page * page + page
    mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    mprotect(mapping + length - page, page, PROT_NONE)
    start = (mapping + length - page - count).assumingMemoryBound(to: UInt8.self)
    for (i, byte) in bytes.enumerated() { start[i] = byte }
  }

  convenience init(count: Int) { self.init([UInt8](repeating: 0xa5, count: count)) }

  deinit { munmap(mapping, length) }

  var bytes: [UInt8] {
    withExtendedLifetime(self) { Array(UnsafeBufferPointer(start: start, count: count)) }
  }

  /// The bytes as numbers of 32 bits.
  var numbers: [Int32] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) } }

  /// Lends them as numbers of 32 bits.
  var places: UnsafeMutablePointer<Int32> {
    UnsafeMutableRawPointer(start).bindMemory(to: Int32.self, capacity: count / 4)
  }
}

/// A set by name, so that test cases read well.
struct KernelSet: CustomTestStringConvertible, Sendable {
  let index: Int

  var kernels: vf_kernels { vf_kernels_at(index)!.pointee }
  var testDescription: String { String(cString: kernels.name) }

  /// The sets this processor runs.
  static let supported = (0..<8).prefix { vf_kernels_at($0) != nil }.map(KernelSet.init)
}

@Suite("Row kernels") struct KernelTests {
  static let widths = [0, 1, 15, 16, 17, 31, 32, 33, 1920]

  @Test("The first set is the portable one, and a set is current")
  func sets() {
    #expect(KernelSet.supported.first?.testDescription == "portable")
    let current = String(cString: vf_kernels_current().pointee.name)
    #expect(KernelSet.supported.contains { $0.testDescription == current })
  }

  @Test(
    "Splitting pixel pairs gives the same bytes from every set",
    arguments: KernelSet.supported, widths)
  func splitPairsOfPixels(set: KernelSet, pairs: Int) {
    let pixels = Noise.bytes(4 * pairs)
    for (isYUYV, split) in [(true, set.kernels.split_yuyv), (false, set.kernels.split_uyvy)] {
      let source = GuardedBytes(pixels)
      let (luma, cb) = (GuardedBytes(count: 2 * pairs), GuardedBytes(count: pairs))
      let cr = GuardedBytes(count: pairs)
      withExtendedLifetime((luma, cb, cr, source)) {
        split(luma.start, cb.start, cr.start, source.start, pairs)
      }
      let (first, second) = isYUYV ? (0, 1) : (1, 0)
      #expect(luma.bytes == (0..<2 * pairs).map { pixels[2 * $0 + first] })
      #expect(cb.bytes == (0..<pairs).map { pixels[4 * $0 + second] })
      #expect(cr.bytes == (0..<pairs).map { pixels[4 * $0 + second + 2] })
    }
  }

  @Test(
    "Splitting byte pairs gives the same bytes from every set",
    arguments: KernelSet.supported, widths)
  func splitBytePairs(set: KernelSet, count: Int) {
    let pairs = Noise.bytes(2 * count)
    let source = GuardedBytes(pairs)
    let (first, second) = (GuardedBytes(count: count), GuardedBytes(count: count))
    withExtendedLifetime((source, first, second)) {
      set.kernels.split_pairs(first.start, second.start, source.start, count)
    }
    let even: [UInt8] = stride(from: 0, to: pairs.count, by: 2).map { pairs[$0] }
    let odd: [UInt8] = stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] }
    #expect(first.bytes == even)
    #expect(second.bytes == odd)
  }

  @Test(
    "Averaging rows rounds half up in every set",
    arguments: KernelSet.supported, widths)
  func averageRows(set: KernelSet, count: Int) {
    let (a, b) = (Noise.bytes(count, seed: 2), Noise.bytes(count, seed: 3))
    let (first, second) = (GuardedBytes(a), GuardedBytes(b))
    let result = GuardedBytes(count: count)
    withExtendedLifetime((first, second, result)) {
      set.kernels.average_rows(result.start, first.start, second.start, count)
    }
    let means = zip(a, b).map { first, second -> UInt8 in
      let sum: Int = Int(first) + Int(second)
      return UInt8((sum + 1) / 2)
    }
    #expect(result.bytes == means)
  }

  @Test(
    "Rows' samples are added up to the same sums in every set, as many as fit",
    arguments: KernelSet.supported, widths + [63, 64, 65])
  func sumRows(set: KernelSet, count: Int) {
    for rows in [0, 1, 4, 13, 257] {
      // Between rows lies what must not be added.
      let stride = count + 5
      var bytes =
        rows == 257
        ? [UInt8](repeating: 255, count: stride * rows) : Noise.bytes(stride * rows, seed: 5)
      bytes.removeLast(min(5, bytes.count))
      let (source, result) = (GuardedBytes(bytes), GuardedBytes(count: 2 * count))
      withExtendedLifetime((source, result)) {
        result.start.withMemoryRebound(to: UInt16.self, capacity: count) {
          set.kernels.sum_rows($0, source.start, stride, rows, count)
        }
      }
      let sums = (0..<count).map { column in
        (0..<rows).reduce(UInt16(0)) { $0 + UInt16(bytes[$1 * stride + column]) }
      }
      #expect(result.bytes == sums.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    }
  }

  @Test(
    "A marker is found where it is in every set, also across blocks, and no stuffed byte for one",
    arguments: KernelSet.supported, [2, 3, 255, 256, 257, 258, 511, 512, 513, 700])
  func findMarker(set: KernelSet, count: Int) {
    var bytes = Noise.bytes(count, seed: 4).map { $0 == 255 ? 254 : $0 }
    // Stuffed, at the ends of blocks too, and the last byte, which nothing follows.
    for place in stride(from: 5, to: count - 2, by: 125) {
      bytes.replaceSubrange(place...place + 1, with: [255, 0])
    }
    bytes[count - 1] = 255
    func find(_ bytes: [UInt8]) -> Int {
      let guarded = GuardedBytes(bytes)
      return withExtendedLifetime(guarded) { set.kernels.find_marker(guarded.start, count) }
    }
    #expect(find(bytes) == count)
    for place in 0..<count - 1 where bytes[place] != 0 && (place % 16 < 2 || place % 256 > 253) {
      var marked = bytes
      marked.replaceSubrange(place...place + 1, with: [255, 0xd9])
      #expect(find(marked) == place)
    }
  }

  @Test(
    "Forward transforms give the same coefficients from every set, of the darkest and brightest, too",
    arguments: KernelSet.supported)
  func forwardTransforms(set: KernelSet) {
    let portable = KernelSet(index: 0).kernels
    var generator = SplitMix(state: 5)
    for round in 0..<300 {
      // Rows that end where memory does.
      let blocks = (0..<2).map { _ in
        (0..<8).map { _ in
          GuardedBytes(
            (0..<8).map { _ in
              let noise = UInt8.random(in: 0...255, using: &generator)
              return round % 3 == 0 ? noise : round % 3 == 1 ? (noise < 128 ? 0 : 255) : noise / 64
            })
        }
      }
      let steps = (0..<64).map { _ in
        UInt16.random(in: 1...(round < 200 ? 255 : 8), using: &generator)
      }
      var quantizer = vf_quantizer()
      vf_quantizer_make(&quantizer, steps)
      let rows = blocks.map { block in block.map { $0.start as UnsafeMutablePointer<UInt8> } }
      var (expected, result) = (vf_block_pair(), vf_block_pair())
      withExtendedLifetime(blocks) {
        rows[0].withUnsafeBufferPointer { first in
          rows[1].withUnsafeBufferPointer { second in
            let (first, second) = (
              vf_block_source(rows: first.baseAddress!, x: 0),
              vf_block_source(rows: second.baseAddress!, x: 0)
            )
            portable.forward_dct(&expected, first, second, &quantizer)
            set.kernels.forward_dct(&result, first, second, &quantizer)
          }
        }
      }
      let isSame = withUnsafeBytes(of: &expected) { expected in
        withUnsafeBytes(of: &result) { expected.elementsEqual($0) }
      }
      #expect(isSame, "round \(round)")
    }
  }

  @Test("Quantizing is a division that rounds halves up, by every step, of every coefficient")
  func quantizers() {
    for step in 1...255 {
      var quantizer = vf_quantizer()
      vf_quantizer_make(&quantizer, [UInt16](repeating: UInt16(step), count: 64))
      let (half, reciprocal, shift) = (
        Int(quantizer.half.0), Int(quantizer.reciprocal.0), Int(quantizer.shift.0)
      )
      func quotient(_ size: Int) -> Int { ((((size + half) * reciprocal) >> 16) * shift) >> 16 }
      #expect(half == 4 * step)
      // Around each place where the quotient changes; coefficients are below 2^14.
      for boundary in stride(from: half, to: 1 << 14 - half, by: 8 * step) {
        let expected = (boundary + half) / (8 * step)
        guard quotient(boundary) == expected, quotient(boundary - 1) == expected - 1 else {
          Issue.record("\(boundary) by \(step)")
          break
        }
      }
    }
  }

  @Test(
    "Inverse transforms give the same samples from every set, also of what no picture has",
    arguments: KernelSet.supported)
  func inverseTransforms(set: KernelSet) {
    let portable = KernelSet(index: 0).kernels
    var generator = SplitMix(state: 4)
    for round in 0..<500 {
      let range: ClosedRange<Int16> = round < 400 ? -300...300 : Int16.min...Int16.max
      let most = Int.random(in: 0...63, using: &generator)
      let block = (0..<64).map {
        $0 <= most ? Int16.random(in: range, using: &generator) : 0
      }
      let steps = (0..<64).map { _ in
        Int16.random(in: 1...(round < 400 ? 8 : 255), using: &generator)
      }
      // Rows farther apart than they are long, and nothing else written.
      var (expected, result) = ([UInt8](repeating: 7, count: 80), [UInt8](repeating: 7, count: 80))
      portable.inverse_dct(&expected, 10, block, steps)
      set.kernels.inverse_dct(&result, 10, block, steps)
      #expect(result == expected)
      #expect((0..<80).allSatisfy { $0 % 10 < 8 || result[$0] == 7 })
      portable.inverse_dct_half(&expected, 10, block, steps)
      set.kernels.inverse_dct_half(&result, 10, block, steps)
      #expect(result == expected)
    }
  }

  // MARK: - Warps

  static let counts = [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 129]

  @Test(
    "Places on a line with perspective are rounded to 1/128 of a sample in every set",
    arguments: KernelSet.supported, counts)
  func place(set: KernelSet, count: Int) {
    var trace = vf_trace(x: 3.25, y: 7, w: 1, dx: 2.25, dy: -0.03125, dw: 0.001)
    let (x, y) = (GuardedBytes(count: 4 * count), GuardedBytes(count: 4 * count))
    withExtendedLifetime((x, y)) { set.kernels.place(x.places, y.places, &trace, count) }
    let places = (0..<count).map { i -> (Int32, Int32) in
      // Each step is rounded by itself.
      let step = Float(i)
      let w = step * trace.dw as Float
      let scale = 128 / (w + trace.w)
      let (across, down) = (step * trace.dx as Float, step * trace.dy as Float)
      let far = ((across + trace.x) * scale, (down + trace.y) * scale)
      return (
        Int32(far.0.rounded(.toNearestOrEven)), Int32(far.1.rounded(.toNearestOrEven))
      )
    }
    #expect(x.numbers == places.map(\.0))
    #expect(y.numbers == places.map(\.1))
  }

  /// The samples that a filter kernel takes, and how it is called.
  struct FilterKernel: CustomTestStringConvertible, Sendable {
    let size: Int
    var columns: Int { size == 6 ? 8 : size }
    var testDescription: String { "filter\(size)" }

    static let all = [2, 4, 6].map(FilterKernel.init)

    /// Weights with a sum of 128 for each of 128 phases.
    func weights(seed: UInt64) -> [[Int]] {
      let noise = Noise.bytes(128 * size, seed: seed)
      return (0..<128).map { phase in
        if size == 2 { return [128 - phase, phase] }
        var rest = 128
        var taps: [Int] = []
        for i in 0..<size - 1 {
          taps.append(min(Int(noise[phase * size + i]) % 100, rest))
          rest -= taps[i]
        }
        return taps + [rest]
      }
    }
  }

  private static func table(_ weights: [[Int]]) -> vf_weights {
    var table = vf_weights()
    withUnsafeMutableBytes(of: &table) { bytes in
      for (phase, taps) in weights.enumerated() {
        for (i, tap) in taps.enumerated() { bytes[8 * phase + i] = UInt8(tap) }
      }
    }
    return table
  }

  /// What a filter makes of the samples from (`column`, `row`) on, to a rounded level.
  private static func sample(
    _ plane: [UInt8], stride: Int, column: Int, row: Int, across: [Int], down: [Int]
  ) -> UInt8 {
    var sum = 0
    for (v, share) in down.enumerated() {
      for (u, weight) in across.enumerated() {
        sum += share * weight * Int(plane[(row + v) * stride + column + u])
      }
    }
    return UInt8((sum + 8192) >> 14)
  }

  @Test(
    "Filters take the weights of each place's phase, to the plane's last sample, in every set",
    arguments: KernelSet.supported, FilterKernel.all)
  func filters(set: KernelSet, kernel: FilterKernel) {
    let (width, height, stride) = (37, 20, 41)
    // The last row has no padding: behind its last sample is nothing.
    let plane = Noise.bytes(stride * (height - 1) + width)
    let (across, down) = (kernel.weights(seed: 4), kernel.weights(seed: 5))
    var tables = (Self.table(across), Self.table(down))
    for count in Self.counts {
      let noise = Noise.bytes(4 * count, seed: UInt64(count + 6))
      let places = (0..<count).map { i -> (Int32, Int32) in
        let last = (width - kernel.columns, height - kernel.size)
        let isLast = i % 3 == 2
        let column = isLast ? last.0 : Int(noise[4 * i]) % (last.0 + 1)
        let row = isLast ? last.1 : Int(noise[4 * i + 1]) % (last.1 + 1)
        return (
          Int32(128 * column + Int(noise[4 * i + 2]) % 128),
          Int32(128 * row + Int(noise[4 * i + 3]) % 128)
        )
      }
      let (xs, ys) = (places.map(\.0), places.map(\.1))
      let source = GuardedBytes(plane)
      let result = GuardedBytes(count: count)
      withExtendedLifetime((source, result)) {
        switch kernel.size {
        case 2: set.kernels.filter2(result.start, source.start, stride, xs, ys, count)
        case 4:
          set.kernels.filter4(
            result.start, source.start, stride, xs, ys, &tables.0, &tables.1, count)
        default:
          set.kernels.filter6(
            result.start, source.start, stride, xs, ys, &tables.0, &tables.1, count)
        }
      }
      let expected = places.map { x, y in
        Self.sample(
          plane, stride: stride, column: Int(x >> 7), row: Int(y >> 7),
          across: across[Int(x & 127)],
          down: down[Int(y & 127)])
      }
      // Interpolation rounds between its two steps.
      let isRight =
        kernel.size == 2 ? distance(result.bytes, expected) <= 1 : result.bytes == expected
      #expect(isRight, "\(count) samples")
      if kernel.size == 2 {
        let portable = GuardedBytes(count: count)
        withExtendedLifetime((source, portable)) {
          KernelSet.supported[0].kernels.filter2(
            portable.start, source.start, stride, xs, ys, count)
        }
        let isSame = portable.bytes == result.bytes
        #expect(isSame, "\(count) samples")
      }
    }
  }
}
