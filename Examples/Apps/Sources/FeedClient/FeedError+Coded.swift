import ErrorWords

extension FeedError: CodedError {
  /// What pages say it by.
  public var coded: Coded? {
    switch self {
    case .unreachable(let address, let reason):
      Coded("serverAway", ["address": address, "reason": reason])
    case .tooSlow(let address, let seconds):
      Coded("serverSlow", ["address": address, "seconds": "\(seconds)"])
    case .redirected(let address, let other):
      Coded("serverMoved", ["address": address, "other": other])
    case .intercepted(let address): Coded("serverIntercepted", ["address": address])
    case .notUnderstood(let address, let reason):
      Coded("serverOther", ["address": address, "reason": reason])
    case .tooLarge(let address, _): Coded("answerTooLarge", ["address": address])
    case .notSignedOn(let address): Coded("notSignedOn", ["address": address])
    case .otherPerson(let address, let name, let before):
      Coded("otherPerson", ["address": address, "name": name, "before": before])
    case .ignoresConditions(let address, _): Coded("serverOverwrites", ["address": address])
    case .full(let address, ""): Coded("serverFull", ["address": address])
    case .full(let address, let message):
      Coded("serverFullSays", ["address": address, "message": message])
    case .rejected(let address, ""): Coded("serverRefuses", ["address": address])
    case .rejected(let address, let message):
      Coded("serverRefusesSays", ["address": address, "message": message])
    case .failed(let address, let status, "", _):
      Coded("serverFails", ["address": address, "status": "\(status)"])
    case .failed(let address, let status, let message, _):
      Coded(
        "serverFailsSays", ["address": address, "status": "\(status)", "message": message])
    case .cursorUnknown(let address): Coded("otherDatabase", ["address": address])
    }
  }
}
