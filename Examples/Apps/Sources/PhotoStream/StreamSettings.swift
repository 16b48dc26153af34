import Foundation

/// Which stream a device has joined.
public struct StreamSettings: Codable, Hashable, Sendable {
  /// Where the server is.
  public var url: URL
  /// What the server knows the device by.
  public var token: String
  /// What others are told that photos come from.
  public var device: String
  /// Photos that came into the library before aren't sent.
  public var since: Date
  /// Whether photos of other devices come by themselves; otherwise their previews do, and a photo when it is asked for.
  public var fetchesAll: Bool
  /// The camera whose photos are sent, as the library names it; `nil` for all photos.
  public var camera: String?
  /// Whether smaller copies are sent of large photos.
  public var sendsSmaller: Bool
  /// Whether photos are sent as copies that don't say where they were taken.
  public var leavesPlaceOut: Bool

  /// Joins a stream.
  ///
  /// - Parameters:
  ///   - url: Where the server is.
  ///   - token: What the server knows the device by.
  ///   - device: What others are told that photos come from. The default is the machine's name.
  ///   - since: Photos that came into the library before aren't sent. The default is now.
  ///   - fetchesAll: Whether photos of other devices come by themselves. The default is `true`.
  ///   - camera: The camera whose photos are sent. The default is `nil`, for all photos.
  ///   - sendsSmaller: Whether smaller copies are sent of large photos. The default is `false`.
  ///   - leavesPlaceOut: Whether photos are sent as copies that don't say where they were taken. The default is `false`.
  public init(
    url: URL, token: String, device: String = ProcessInfo.processInfo.hostName, since: Date = .now,
    fetchesAll: Bool = true, camera: String? = nil, sendsSmaller: Bool = false,
    leavesPlaceOut: Bool = false
  ) {
    (self.url, self.token, self.device, self.since) = (url, token, device, since)
    (self.fetchesAll, self.camera) = (fetchesAll, camera)
    (self.sendsSmaller, self.leavesPlaceOut) = (sendsSmaller, leavesPlaceOut)
  }

  /// Reads settings; those of before know less.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    url = try values.decode(URL.self, forKey: .url)
    token = try values.decode(String.self, forKey: .token)
    device = try values.decode(String.self, forKey: .device)
    since = try values.decode(Date.self, forKey: .since)
    fetchesAll = try values.decodeIfPresent(Bool.self, forKey: .fetchesAll) ?? true
    camera = try values.decodeIfPresent(String.self, forKey: .camera)
    sendsSmaller = try values.decodeIfPresent(Bool.self, forKey: .sendsSmaller) ?? false
    leavesPlaceOut = try values.decodeIfPresent(Bool.self, forKey: .leavesPlaceOut) ?? false
  }

  /// Where programs keep the stream of a person's own library: `photo-stream` in the folder of the person's data.
  public static var defaultFolder: URL {
    let own = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    let data =
      own.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    return data.appending(component: "photo-stream")
  }

  /// Reads the settings that are kept in a folder; `nil` where there are none.
  public init?(in folder: URL) {
    guard let data = try? Data(contentsOf: Self.file(in: folder)),
      let settings = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = settings
  }

  /// Keeps the settings in a folder, for this user alone: they have a token.
  ///
  /// - Parameter folder: The folder, which is made where it is missing.
  /// - Throws: Why the file can't be written.
  public func keep(in folder: URL) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let (file, draft) = (Self.file(in: folder), folder.appending(component: ".photo-stream.json"))
    try? files.removeItem(at: draft)
    let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: JSONEncoder().encode(self))
    try handle.synchronize()
    guard rename(draft.path, file.path) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  /// Forgets the settings that are kept in a folder.
  ///
  /// - Parameter folder: The folder.
  /// - Throws: Why the file can't be deleted.
  public static func forget(in folder: URL) throws {
    guard unlink(file(in: folder).path) == 0 || errno == ENOENT else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  private static func file(in folder: URL) -> URL {
    folder.appending(component: "photo-stream.json")
  }
}
