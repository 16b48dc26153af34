/// Names of files and headers are bytes: only ASCII's letters and digits mean something in them.
extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// A capital letter as a small one; anything else as it is.
  var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self
  }
}
