import Checksums
import Foundation
import ServerSupport
import Synchronization
import Testing

/// Clients of one person that write all the time and, where something fails, try again, as clients do.
final class Writers: Sendable {
  /// Where copies of the server are; who fails at one goes to the next.
  private let copies: [String]
  private let token: String
  private let sendsBlobs: Bool

  private struct State {
    var acknowledged: [String: Int] = [:]
    var blobs: Set<BlobName> = []
    var failures = 0
    var problems: [String] = []
  }

  private let state = Mutex(State())
  private let isOver = Atomic(false)

  init(_ copies: [String], token: String, sendsBlobs: Bool = false) {
    (self.copies, self.token, self.sendsBlobs) = (copies, token, sendsBlobs)
  }

  /// How many writes were acknowledged.
  var count: Int { state.withLock { $0.acknowledged.count } }
  /// How many requests failed, before they were tried again.
  var failures: Int { state.withLock { $0.failures } }

  /// Lets some write until others have done something.
  func write(clients: Int, during work: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<clients { group.addTask { try await self.write(as: client) } }
      defer { isOver.store(true, ordering: .relaxed) }
      try await work()
    }
  }

  /// Waits for some more acknowledged writes.
  func awaitWrites(_ more: Int) async throws {
    let goal = count + more
    let last = { self.state.withLock { "There are \($0.acknowledged.count). \($0.problems)" } }
    try await wait("\(goal) writes", last: last) { count >= goal }
  }

  /// What a server hasn't of what was acknowledged, and what went wrong before.
  func problems(of server: APIClient) async throws -> [String] {
    var found: [String: Int] = [:]
    var path = "v1/feeds/photos/records?limit=500"
    while true {
      let page = try await server.ask("GET", path).object
      for entry in page["records"] as? [[String: Any]] ?? [] {
        let record = entry["record"] as? [String: Any]
        if let id = record?["id"] as? String { found[id] = record?["edit"] as? Int }
      }
      guard page["more"] as? Bool == true, let cursor = page["cursor"] as? String else { break }
      path = "v1/feeds/photos/records?limit=500&since=\(cursor)"
    }
    var (acknowledged, blobs, problems) = state.withLock {
      ($0.acknowledged, $0.blobs, $0.problems)
    }
    // A client may have been in the middle of a later edit.
    acknowledged = acknowledged.filter { found[$0.key] ?? -1 < $0.value }
    problems += acknowledged.map { "\($0.key) is at \(found[$0.key] ?? -1), not \($0.value)" }
    for blob in blobs {
      let answer = try await server.ask("GET", "v1/blobs/\(blob)")
      if answer.status != 200 || BlobName(of: answer.body) != blob { problems.append("no \(blob)") }
    }
    return problems
  }

  /// Writes records, each twice.
  private func write(as client: Int) async throws {
    var copy = client
    while !isOver.load(ordering: .relaxed) {
      let id = newID()
      var blob: BlobName?
      if sendsBlobs {
        let data = bytes(2000)
        blob = BlobName(of: data)
        let answer = try await ask(&copy, "PUT", "v1/blobs/\(blob!)", [:], data)
        guard [200, 201].contains(answer?.status) else {
          if let answer { note(answer, "a blob") }
          continue
        }
      }
      var condition = ["If-None-Match": "*"]
      for edit in 0...1 {
        let record: [String: Any] = ["id": id, "edit": edit, "blobs": blob.map { [$0.text] } ?? []]
        let body = try JSONSerialization.data(withJSONObject: record)
        let path = "v1/feeds/photos/records/\(id)"
        guard let answer = try await ask(&copy, "PUT", path, condition, body),
          let etag = etag(of: answer, edit)
        else { break }
        state.withLock { state in
          state.acknowledged[id] = edit
          if let blob { state.blobs.insert(blob) }
        }
        condition = ["If-Match": etag]
      }
    }
  }

  /// The version that is stored now; `nil` where that isn't this edit's.
  private func etag(of answer: APIClient.Answer, _ edit: Int) -> String? {
    switch answer.status {
    case 200, 201: return answer["ETag"]
    case 412:
      // The answer to the write before this one was lost.
      let record = answer.object["record"] as? [String: Any]
      if record?["edit"] as? Int == edit { return answer.object["etag"] as? String }
    default: break
    }
    note(answer, "edit \(edit)")
    return nil
  }

  /// An answer that no client expects.
  private func note(_ answer: APIClient.Answer, _ what: String) {
    let words = String(decoding: answer.body, as: UTF8.self)
    state.withLock { $0.problems.append("\(answer.status) for \(what): \(words)") }
  }

  /// Asks one copy after the other until one answers, which is asked first the next time; `nil` where all is over.
  private func ask(
    _ copy: inout Int, _ method: String, _ path: String, _ fields: [String: String], _ body: Data
  ) async throws -> APIClient.Answer? {
    while !isOver.load(ordering: .relaxed) {
      let server = APIClient(copies[copy % copies.count], token: token)
      if let answer = try? await server.ask(method, path, fields, body: body), answer.status != 503
      {
        return answer
      }
      copy += 1
      state.withLock { $0.failures += 1 }
      try await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }
}
