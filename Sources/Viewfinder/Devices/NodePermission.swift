import Foundation

/// Why a device node can't be opened, in words that say what to type.
struct NodePermission {
  let path: String
  /// The group that may use the node; `nil` when there is no such node.
  var group: (id: gid_t, name: String)?
  /// Whether the node lets its group read and write it.
  var groupMayUse = true
  /// Whether this process has the group.
  var isMember = false
  /// Whether the group database lists the user, who may have to log in again for it.
  var isListed = false
  var isInContainer = false

  /// Advice for the person in front of the machine.
  var advice: String {
    guard let group else {
      return isInContainer
        ? "The machine has it, but this container doesn't: start it with --device \(path)."
        : "The node is missing although the kernel knows the device. "
          + "If this is a container, pass it in (docker run --device \(path)); "
          + "else wait for udev, or plug the camera in again."
    }
    if isMember {
      return groupMayUse
        ? "Its group “\(group.name)” may use it and this process has that group, so something else "
          + "forbids it, such as a sandbox (snap, Flatpak, systemd’s DeviceAllow=)."
        : "Its permissions don't let the group “\(group.name)” read and write it. "
          + "As root: chmod g+rw \(path)"
    }
    if isListed {
      return
        "Your user was added to the group “\(group.name)”, but this login doesn't know it yet. "
        + "Log out and in again, or run: newgrp \(group.name)"
    }
    if isInContainer {
      return "This is a container: start it with --device \(path) --group-add \(group.id)."
    }
    return "Add yourself to the group “\(group.name)”: sudo usermod -aG \(group.name) \"$USER\", "
      + "then log out and in again."
  }
}

extension NodePermission {
  /// Looks at a node, this process and the group database.
  init(of path: String) {
    self.init(path: path)
    isInContainer =
      unsafe access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    let name = AccountDatabase.name(ofGroup: status.st_gid)
    group = (status.st_gid, name ?? "\(status.st_gid)")
    groupMayUse = status.st_mode & 0o060 == 0o060
    isMember = Self.hasGroup(status.st_gid)
    isListed = name.map(Self.isListed(in:)) ?? false
  }

  private static func hasGroup(_ group: gid_t) -> Bool {
    if getegid() == group { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(group)
  }

  private static func isListed(in group: String) -> Bool {
    guard let name = AccountDatabase.name(ofUser: getuid()) else { return false }
    return AccountDatabase.members(ofGroup: group).contains(name)
  }
}
