import ServiceLifecycle
import TerminationSignals

extension ServiceGroup {
  /// Runs until the services end, or SIGINT or SIGTERM asks for that; a second signal ends the process at once.
  public func runUntilInterrupted() async throws {
    let watch = Interruption.watch { Task { await self.triggerGracefulShutdown() } }
    defer { withExtendedLifetime(watch) {} }
    try await run()
  }
}
