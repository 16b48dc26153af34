import Foundation
import ServerSupport
import Testing

@Suite("What the server's keeper sees", .serialized)
struct OperationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func stranger(to server: Server) -> APIClient {
    APIClient(server.anna.address, token: nil)
  }

  /// Asks until the answer has a status.
  private func wait(for status: Int, of path: String, _ client: APIClient) async throws {
    var last = 0
    try await ServerSupport.wait("\(status) of \(path)", last: { "It is \(last)." }) {
      last = try await client.ask("GET", path).status
      return last == status
    }
  }

  @Test("A balancer needs no token to see that the server is there, and ready")
  func ready() async throws {
    let server = try await Server(in: scratch)
    let balancer = stranger(to: server)
    #expect(try await balancer.ask("GET", "health").status == 200)
    try await wait(for: 200, of: "ready", balancer)
    #expect(try await balancer.ask("GET", "v1/me").status == 401)
    #expect(try await balancer.ask("GET", "metrics").status == 401)
    #expect(await server.process.end() == 0)
  }

  @Test("A server whose store is away is there, but not ready")
  func storeAway() async throws {
    let server = try await Server(
      in: scratch, ["--blobs", "s3://photos?endpoint=http://127.0.0.1:1"],
      environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"])
    let balancer = stranger(to: server)
    #expect(try await balancer.ask("GET", "health").status == 200)
    // Long enough for the database to have answered.
    try await Task.sleep(for: .seconds(2))
    let answer = try await balancer.ask("GET", "ready")
    #expect(answer.status == 503)
    #expect(answer.error?.contains("store") == true)
    #expect(await server.process.end() == 0)
  }

  @Test("Prometheus reads what was done, with the token of the file alone")
  func metrics() async throws {
    let file = scratch.url.appending(component: "token")
    try Data("metrics-of-the-test\n".utf8).write(to: file)
    let server = try await Server(in: scratch, ["--metrics-token", file.path])
    let prometheus = APIClient(server.anna.address, token: "metrics-of-the-test")
    #expect(try await server.anna.ask("GET", "metrics").status == 401)
    #expect(try await stranger(to: server).ask("GET", "metrics").status == 401)
    #expect(try await prometheus.ask("GET", "v1/me").status == 401)
    let id = newID()
    #expect(try await server.anna.put(id).status == 201)
    #expect(try await server.anna.put(id).status == 412)
    _ = try await server.anna.ask("OPTIONS", "v1/nothing/\(id)")
    try await wait(for: 200, of: "ready", prometheus)
    let answer = try await prometheus.ask("GET", "metrics")
    #expect(answer.status == 200)
    #expect(answer["Content-Type"]?.contains("version=0.0.4") == true)
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map(String.init)
    let route = "/v1/feeds/{feed}/records/{id}"
    for line in [
      "feed_requests_total{method=\"PUT\",route=\"\(route)\",status=\"201\"} 1",
      "feed_requests_total{method=\"PUT\",route=\"\(route)\",status=\"412\"} 1",
      "feed_request_seconds_count{route=\"\(route)\"} 2",
      "feed_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"} 2",
      "feed_requests_total{method=\"other\",route=\"NotFound\",status=\"404\"} 1",
      // This one itself.
      "feed_requests_open 1", "feed_ready 1", "# TYPE feed_request_seconds histogram",
    ] { #expect(lines.contains(line), "\(line)") }
    // Nothing that a visitor makes up is a label, and nothing is said of people.
    let text = lines.joined()
    for word in ["OPTIONS", "nothing", id, "anna"] { #expect(!text.contains(word)) }
    // Each line is one that Prometheus reads.
    let sample = /[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [0-9.e+-]+/
    for line in lines where !line.hasPrefix("# ") {
      #expect(line.wholeMatch(of: sample) != nil, "\(line)")
    }
  }

  @Test(
    "A file without a token for metrics is refused at the start",
    arguments: ["", "short", "two words of it"])
  func badToken(text: String) async throws {
    let file = scratch.url.appending(component: "token")
    try Data(text.utf8).write(to: file)
    await #expect(throws: ServerProcess.Failure.self) {
      try await Server(in: scratch, ["--metrics-token", file.path])
    }
  }

  @Test("A line of JSON tells of each request, without whose it is or what is in it")
  func log() async throws {
    let server = try await Server(in: scratch, ["--log-requests"])
    let id = newID()
    #expect(try await server.anna.put(id, ["name": "Holiday"]).status == 201)
    _ = await server.process.end()
    let output = await server.process.output
    let events = output.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    let event = try #require(events.first { $0["method"] as? String == "PUT" })
    #expect(event["event"] as? String == "request")
    #expect(event["route"] as? String == "/v1/feeds/{feed}/records/{id}")
    #expect(event["status"] as? Int == 201)
    #expect(event["milliseconds"] is Double)
    #expect(
      (event["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z?/) != nil)
    for word in [id, "Holiday", "anna", server.anna.token ?? ""] { #expect(!output.contains(word)) }
  }

  @Test("Without being asked the server writes nothing but its address")
  func silence() async throws {
    let server = try await Server(in: scratch)
    #expect(try await server.anna.put(newID()).status == 201)
    _ = await server.process.end()
    #expect(await server.process.output == server.process.address + "\n")
  }
}
