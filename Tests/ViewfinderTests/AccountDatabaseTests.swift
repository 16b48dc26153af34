import Foundation
import Testing

@testable import Viewfinder

@Suite struct AccountDatabaseTests {
  /// The lines of a database's file, as far as there is one.
  private func entries(_ path: String) throws -> [[String]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
      .filter { $0.count >= 4 }
  }

  @Test func threadsThatAskAtOnceGetTheirOwnAnswers() throws {
    let groups = try entries("/etc/group").compactMap { entry in
      gid_t(entry[2]).map { (id: $0, name: entry[0], members: entry[3]) }
    }
    let users = try entries("/etc/passwd").compactMap { entry in
      uid_t(entry[2]).map { (id: $0, name: entry[0]) }
    }
    let wrong = Log<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<200 {
        let group = groups[(round + 7 * thread) % groups.count]
        let user = users[(round + 5 * thread) % users.count]
        if AccountDatabase.name(ofGroup: group.id) != group.name { wrong.append(group.name) }
        if AccountDatabase.name(ofUser: user.id) != user.name { wrong.append(user.name) }
        let members = group.members.split(separator: ",").map(String.init)
        if AccountDatabase.members(ofGroup: group.name) != members { wrong.append(group.members) }
      }
    }
    #expect(wrong.all == [])
  }

  @Test func whatIsNotListedHasNoName() {
    #expect(AccountDatabase.name(ofGroup: 3_999_999_999) == nil)
    #expect(AccountDatabase.name(ofUser: 3_999_999_999) == nil)
    #expect(AccountDatabase.members(ofGroup: "no such group") == [])
  }
}
