import Foundation

/// The databases of groups and users, asked such that other threads may ask at the same time.
enum AccountDatabase {
  /// A group's name; `nil` when there is none of that number.
  static func name(ofGroup id: gid_t) -> String? {
    unsafe lookUp(group()) { entry, buffer, found in
      unsafe getgrgid_r(id, entry, buffer.baseAddress!, buffer.count, found)
    } read: { entry in
      unsafe String(cString: entry.gr_name)
    }
  }

  /// The users whom the database lists for a group; those whose first group it is aren't among them.
  static func members(ofGroup name: String) -> [String] {
    let members = unsafe lookUp(group()) { entry, buffer, found in
      unsafe getgrnam_r(name, entry, buffer.baseAddress!, buffer.count, found)
    } read: { entry -> [String] in
      var members: [String] = []
      var next = unsafe entry.gr_mem
      while let member = unsafe next?.pointee {
        members.append(unsafe String(cString: member))
        unsafe next = unsafe next?.advanced(by: 1)
      }
      return members
    }
    return members ?? []
  }

  /// A user's name; `nil` when there is none of that number.
  static func name(ofUser id: uid_t) -> String? {
    unsafe lookUp(passwd()) { entry, buffer, found in
      unsafe getpwuid_r(id, entry, buffer.baseAddress!, buffer.count, found)
    } read: { entry in
      unsafe String(cString: entry.pw_name)
    }
  }

  /// The largest entry that is read, in bytes: a group can have thousands of members.
  private static let entryLimit = 1 << 22

  /// Looks something up, with more room where there is too little.
  private static func lookUp<Entry, R>(
    _ empty: Entry,
    _ call: (
      UnsafeMutablePointer<Entry>, UnsafeMutableBufferPointer<CChar>,
      UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    read: (Entry) -> R
  ) -> R? {
    var size = 1024
    while size <= entryLimit {
      var entry = empty
      var found: UnsafeMutablePointer<Entry>?
      var text = [CChar](repeating: 0, count: size)
      let (code, result) = unsafe text.withUnsafeMutableBufferPointer { buffer -> (Int32, R?) in
        unsafe withUnsafeMutablePointer(to: &entry) { entry -> (Int32, R?) in
          let code = unsafe call(entry, buffer, &found)
          // The strings lie in the buffer.
          return (code, unsafe found.map { unsafe read($0.pointee) })
        }
      }
      switch code {
      case ERANGE: size *= 4
      case EINTR: continue
      default: return result
      }
    }
    return nil
  }
}
