import ServiceLifecycle

/// Writes down when devices were here: those of half a minute together, and once more at the end.
struct LastUseWriter: Service {
  let records: any RecordEngine

  private static let pause = Duration.seconds(30)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: Self.pause)) != nil { await write() }
    }
    await write()
  }

  /// What fails, such as on a full disk, is tried again.
  private func write() async { _ = try? await records.writeLastUses() }
}
