import Foundation

extension CaptureDevice {
  /// Whether this process may use cameras.
  ///
  /// Linux grants access by the device node's owner, group and ACL. `.denied` means that there are
  /// nodes and none may be opened; ``authorizationDenial()`` then says what to do.
  public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
    guard mediaType == .video else { return .restricted }
    return authorizationDenial() == nil ? .authorized : .denied
  }

  /// Asks for access.
  ///
  /// Linux has no question to put to the person, so the answer comes at once.
  ///
  /// - Parameters:
  ///   - mediaType: ``MediaType/video``.
  ///   - handler: Receives whether cameras may be used, on a queue of the library.
  public static func requestAccess(
    for mediaType: MediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    DispatchQueue.global().async { handler(authorizationStatus(for: mediaType) == .authorized) }
  }

  /// Asks for access.
  ///
  /// Linux has no question to put to the person, so the answer comes at once.
  public static func requestAccess(for mediaType: MediaType) async -> Bool {
    authorizationStatus(for: mediaType) == .authorized
  }

  /// Why no camera may be opened, with what to do about it; `nil` when one may, or there is none.
  public static func authorizationDenial() -> CaptureError? {
    let nodes = ((try? DeviceNode.all()) ?? []).filter { $0.kind != .other }
    guard !nodes.contains(where: { $0.accessError == 0 }) else { return nil }
    return nodes.first { [EACCES, EPERM].contains($0.accessError) }.map(CaptureError.init(opening:))
  }
}

/// Why a device node can't be opened, in words that say what to type.
enum NodePermission {
  /// Advice for a node that gave `EACCES`.
  static func advice(for path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return "Give this process access to the node: it may be missing in a container "
        + "(docker run --device \(path))."
    }
    let group = unsafe getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
    let name = group ?? "\(status.st_gid)"
    if isMember(status.st_gid) {
      return "Its permissions don't let the group “\(name)” read and write it. "
        + "As root: chmod g+rw \(path)"
    }
    if isListed(in: name) {
      return "Your user was added to the group “\(name)”, but this login doesn't know it yet. "
        + "Log out and in again, or run: newgrp \(name)"
    }
    if unsafe access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 {
      return "This is a container: start it with --device \(path) "
        + "--group-add \(status.st_gid)."
    }
    return "Add yourself to the group “\(name)”: sudo usermod -aG \(name) \"$USER\", "
      + "then log out and in again."
  }

  /// Whether this process has a group.
  private static func isMember(_ group: gid_t) -> Bool {
    if getegid() == group { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(group)
  }

  /// Whether the group database lists the user, who may have to log in again for it.
  private static func isListed(in group: String) -> Bool {
    guard let entry = unsafe getgrnam(group), let user = unsafe getpwuid(getuid()) else {
      return false
    }
    let name = unsafe String(cString: user.pointee.pw_name)
    var member = unsafe entry.pointee.gr_mem
    while let current = unsafe member?.pointee {
      if unsafe String(cString: current) == name { return true }
      unsafe member = unsafe member?.advanced(by: 1)
    }
    return false
  }
}
