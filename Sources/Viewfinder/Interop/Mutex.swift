import Glibc

/// A value that one thread at a time may use.
///
/// It does what `Synchronization.Mutex` does, with a lock of the C library: the thread sanitizer
/// doesn't see the futexes of the former on Linux, and reports a race at every use.
@safe package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let value: UnsafeMutablePointer<Value>
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ initialValue: consuming sending Value) {
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initialValue)
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Runs `body` with the value while no other thread uses it.
  ///
  /// Doesn't nest.
  package borrowing func withLock<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
  /// Runs `body` with the value if no other thread uses it now; `nil` if one does.
  package borrowing func withLockIfAvailable<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard unsafe pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
