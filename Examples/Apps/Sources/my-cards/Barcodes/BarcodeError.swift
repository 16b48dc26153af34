/// Why a bar code can't be drawn.
public enum BarcodeError: Error, Hashable, CustomStringConvertible {
  /// The text can't be a bar code of that kind.
  case unfit(type: String, reason: String)
  /// The library that draws it failed.
  case failed(library: String, reason: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unfit(let type, let reason):
      "This can't be a bar code of the kind \(type): \(reason). Correct it, or choose another kind."
    case .failed(let library, let reason): "\(library) failed: \(reason). Try again."
    }
  }
}
