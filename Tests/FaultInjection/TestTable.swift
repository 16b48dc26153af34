import CViewfinder

/// A table of system calls with what it needs to live: a table must outlive its grabbers.
public struct TestTable: @unchecked Sendable {
  /// The C table.
  public let pointer: UnsafePointer<vf_system>
  /// Whoever implements it.
  public var owner: AnyObject?

  /// Names a table and its owner.
  public init(pointer: UnsafePointer<vf_system>, owner: AnyObject? = nil) {
    self.pointer = pointer
    self.owner = owner
  }
}
