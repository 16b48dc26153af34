import FaultInjection
import Foundation

/// A call that goes wrong.
struct FaultCase: Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    /// It fails with an `errno`.
    case fails(Int32)
    /// It says these `revents` of the camera; for poll alone.
    case claims(Int16)
    /// It says that the camera has nothing; for poll alone.
    case isSilent
    /// It takes its time, at most.
    case hangs(milliseconds: Int)
  }

  /// Which of a life's calls of that name, the first being 1.
  enum Occurrence: Hashable, Sendable {
    case only(Int)
    /// This one and all that follow, until the fault is lifted.
    case from(Int)
    /// Every so many-th.
    case each(Int)

    func includes(_ number: Int) -> Bool {
      switch self {
      case .only(let wanted): number == wanted
      case .from(let first): number >= first
      case .each(let count): number % count == 0
      }
    }
  }

  let call: TamperedSystem.Call
  let kind: Kind
  let occurrence: Occurrence
  var driver = FaultDriver.usual

  var lasts: Bool { occurrence.lasts }

  var code: Int32? { if case .fails(let code) = kind { code } else { nil } }

  var description: String {
    let what =
      switch kind {
      case .fails(let code): "fails with errno \(code)"
      case .claims(let events): "claims revents \(events)"
      case .isSilent: "is silent"
      case .hangs: "hangs"
      }
    return "\(call) \(what) at \(occurrence)"
  }
}

extension FaultCase.Occurrence: CustomStringConvertible {
  /// Whether it goes on until the fault is lifted.
  var lasts: Bool { if case .only = self { false } else { true } }

  var description: String {
    switch self {
    case .only(let number): "number \(number)"
    case .from(let number): number == 1 ? "every time" : "number \(number) and all that follow"
    case .each(let count): "every number \(count)"
    }
  }
}
