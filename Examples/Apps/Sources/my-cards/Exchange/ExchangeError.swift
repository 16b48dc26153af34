/// Why cards can't be imported or exported.
public enum ExchangeError: Error, Hashable, CustomStringConvertible {
  /// The file isn't one of Catima's.
  case notCatima(reason: String)
  /// The file is protected by a password.
  case encrypted
  /// The file is larger than any wallet.
  case tooLarge(what: String)
  /// A line of the table can't be read.
  case badRow(line: Int, reason: String)
  /// The archive can't be written.
  case cannotWrite(reason: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notCatima(let reason):
      "This isn't an export of Catima: \(reason). In Catima choose Import/Export, Export, and take the file it writes."
    case .encrypted:
      "The file is protected by a password. Export it from Catima again, without one."
    case .tooLarge(let what):
      "\(what) in the file is too large to be a wallet's. Nothing was imported."
    case .badRow(let line, let reason):
      "Line \(line) of catima.csv: \(reason). Nothing was imported; correct the line and try again."
    case .cannotWrite(let reason): "The file can't be made: \(reason)."
    }
  }
}
