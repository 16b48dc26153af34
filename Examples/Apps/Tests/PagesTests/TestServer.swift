import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import ServerSupport
import Testing
import Viewfinder

@testable import ViewfinderPages
@testable import WebServing

/// A camera and its pages within the test's process.
struct TestServer: Sendable {
  /// An answer, read to its end.
  struct Answer {
    var status: Int
    var fields: [String: String]
    var body: Data

    /// What an error's answer says.
    var error: String? { refusal?.error }
    /// The error's code.
    var code: String? { refusal?.code }
    /// What the words for the code are about.
    var values: [String: String] { refusal?.values ?? [:] }

    private var refusal: Refusal? { try? JSONDecoder().decode(Refusal.self, from: body) }
  }

  /// An error as programs read it.
  private struct Refusal: Decodable {
    var error: String
    var code: String?
    var values: [String: String]?
  }

  let simulated: SimulatedCamera
  let camera: LiveCamera
  /// What the topic “quiet” sends.
  let quiet: Watchers<String>
  /// With a slash at its end and without a token.
  private(set) var address: String
  /// As it is announced.
  let announced: String
  /// What requests say to be known.
  private(set) var token: String?

  /// The same server, for somebody who doesn't know the token.
  var stranger: TestServer {
    var server = self
    server.token = nil
    return server
  }

  /// The same server at another of its addresses.
  func at(_ address: String) -> TestServer {
    var server = self
    server.address = address
    return server
  }

  /// Runs a server for `body`.
  static func run(
    _ configuration: WebServer.Configuration = .init(
      address: ListenAddress(host: "127.0.0.1", port: 0)),
    format: PixelFormat = .yuyv, rotation: Int = 0,
    body: (TestServer) async throws -> Void
  ) async throws {
    var scene = SimulatedCamera.Configuration()
    scene.source = .scene(.steady)
    let simulated = try SimulatedCamera(scene)
    let camera = LiveCamera(rotation: rotation) {
      let device = simulated.device
      try device.configure { (device) throws(CaptureError) in
        let size = Dimensions(width: 640, height: 480)
        try device.setActiveFormat(try device.bestFormat(format, dimensions: size))
      }
      return device
    }
    let quiet = Watchers<String>()
    let (addresses, announcement) = AsyncStream.makeStream(of: String.self)
    let server = Task {
      try await WebServer(configuration).run(
        services: [camera], announce: { announcement.yield($0) }
      ) { router in
        router.serveSharedAssets()
        var cameraEvents = PageEvents()
        CameraRoutes(camera).add(to: router, events: &cameraEvents)
        cameraEvents.add(to: router)
        router.get("hello") { _, _ in "hello" }
        router.get("slow") { _, _ in
          try await Task.sleep(for: .seconds(2))
          return "at last"
        }
        router.serve([
          Asset(
            "/worker.js", .javascript, Array("// A worker.".utf8),
            headers: [HTTPField.Name("Service-Worker-Allowed")!: "/"])
        ])
        var events = PageEvents()
        events.add("quiet") { _ in quiet.watch() }
        events.add("visit") { visit in
          let values = AsyncStream<String> { $0.yield("\(visit.page ?? "") \(visit.parameters)") }
          return (values, {})
        }
        events.add("refused") { _ -> PageEvents.Watch<String> in
          throw WebError(.conflict, "Not now.", code: "notNow", values: ["name": "Toy Box"])
        }
        events.add(to: router.group("page"), signOfLifeEvery: .milliseconds(200))
        router.post("length") { request, _ in
          "\(try await request.body.collect(upTo: .max).readableBytes)"
        }
      }
    }
    let announced = try #require(await addresses.first { _ in true })
    let address = announced.replacing(/\?.*/, with: "")
    let test = TestServer(
      simulated: simulated, camera: camera, quiet: quiet, address: address, announced: announced,
      token: announced.firstMatch(of: /\?token=(.+)/).map { String($0.1) })
    do {
      try await ServerSupport.wait("the camera") { camera.report.state == .running }
      try await body(test)
    } catch {
      server.cancel()
      _ = await server.result
      throw error
    }
    server.cancel()
    _ = await server.result
  }

  /// Asks for something.
  func ask(
    _ path: String, method: String = "GET", fields: [String: String] = [:], body: Data? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: address + path)
    request.method = .RAW(value: method)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    for (name, value) in fields { request.headers.replaceOrAdd(name: name, value: value) }
    request.body = body.map { .bytes(ByteBuffer(bytes: $0)) }
    let response = try await HTTPClient.patient.execute(request, timeout: .seconds(120))
    let fields = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
    return Answer(
      status: Int(response.status.code), fields: fields,
      body: Data(try await response.body.collect(upTo: 1 << 26).readableBytesView))
  }

  /// Takes the first bytes of an answer without an end, then goes away.
  func begin(_ path: String, bytes: Int) async throws -> Data {
    try await begin(path) { $0.count >= bytes }
  }

  /// Takes an answer without an end until it has had enough, then goes away.
  func begin(_ path: String, until isEnough: (Data) -> Bool) async throws -> Data {
    var request = HTTPClientRequest(url: address + path)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let response = try await HTTPClient.patient.execute(request, timeout: .seconds(120))
    var data = Data()
    for try await buffer in response.body {
      data.append(Data(buffer.readableBytesView))
      if isEnough(data) { break }
    }
    return data
  }
}
