import CViewfinder
import Glibc
import Testing

/// Bytes that end where memory does: reading or writing one more faults.
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

  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
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
      split(luma.start, cb.start, cr.start, source.start, pairs)
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
    set.kernels.split_pairs(first.start, second.start, source.start, count)
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
    set.kernels.average_rows(result.start, first.start, second.start, count)
    let means = zip(a, b).map { first, second -> UInt8 in
      let sum: Int = Int(first) + Int(second)
      return UInt8((sum + 1) / 2)
    }
    #expect(result.bytes == means)
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
}
