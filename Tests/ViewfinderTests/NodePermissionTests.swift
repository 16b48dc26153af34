import Testing

@testable import Viewfinder

@Suite struct NodePermissionTests {
  /// A node of the group "video" that this process may not open.
  private func node(_ change: (inout NodePermission) -> Void = { _ in }) -> String {
    var node = NodePermission(path: "/dev/video0", group: (44, "video"))
    change(&node)
    return node.advice
  }

  @Test func aPersonOutsideTheGroupIsToldHowToJoin() {
    #expect(node().contains("sudo usermod -aG video"))
  }

  @Test func aPersonWhoJoinedMeanwhileIsToldToLogInAgain() {
    let advice = node { $0.isListed = true }
    #expect(advice.contains("newgrp video"))
    #expect(!advice.contains("usermod"))
  }

  @Test func inAContainerTheGroupIsPassedInByNumber() {
    #expect(node { $0.isInContainer = true }.contains("--device /dev/video0 --group-add 44"))
  }

  @Test func aMissingNodeIsPassedIn() {
    let advice = node {
      $0.group = nil
      $0.isInContainer = true
    }
    #expect(advice.contains("--device /dev/video0"))
    #expect(!advice.contains("--group-add"))
  }

  @Test func aMissingNodeOutsideAContainerIsCalledMissing() {
    #expect(node { $0.group = nil }.contains("missing"))
  }

  @Test func aNodeThatShutsItsGroupOutIsOpenedToIt() {
    let advice = node {
      $0.isMember = true
      $0.groupMayUse = false
    }
    #expect(advice.contains("chmod g+rw /dev/video0"))
  }

  @Test func aSandboxIsNamedWherePermissionsWouldDo() {
    #expect(node { $0.isMember = true }.contains("sandbox"))
  }

  @Test func eachReasonHasAdviceOfItsOwn() {
    let all = [
      node(), node { $0.isListed = true }, node { $0.isInContainer = true },
      node { $0.group = nil }, node { $0.isMember = true },
    ]
    #expect(Set(all).count == all.count)
  }
}
