/// Why a bar code can't be read or drawn.
public enum BarcodeError: Error, Hashable, CustomStringConvertible {
  /// The program that does it isn't installed.
  case notInstalled(program: String, package: String)
  /// The text can't be a bar code of that kind.
  case unfit(type: String, reason: String)
  /// The program failed, or took too long.
  case failed(program: String, reason: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notInstalled(let program, let package):
      "Bar codes need the program \(program). Install it: sudo apt install \(package)"
    case .unfit(let type, let reason):
      "This can't be a bar code of the kind \(type): \(reason). Correct it, or choose another kind."
    case .failed(let program, let reason):
      "\(program) failed: \(reason). Try another photo, or type the number."
    }
  }
}
