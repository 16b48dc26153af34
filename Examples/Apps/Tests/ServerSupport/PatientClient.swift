import AsyncHTTPClient

extension HTTPClient {
  /// What all tests ask servers with.
  ///
  /// It waits as long as the request says, unlike the shared client, which gives up after 90 seconds without a byte; and
  /// it shows where an answer leads instead of going there.
  public static let patient = HTTPClient(
    configuration: .init(
      // Who doesn't listen yet is tried again until then.
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(30))))
}
