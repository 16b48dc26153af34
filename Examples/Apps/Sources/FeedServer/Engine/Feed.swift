/// Records of one kind, which belong together: a person's cards, or their photos.
struct Feed: Hashable, Sendable {
  /// Its name in addresses: small letters, digits and hyphens.
  var name: String
  /// How many records a person may have; deleted ones don't count.
  ///
  /// The default is 10,000.
  var maximumRecords = 10_000
  /// How large a record may be, in bytes.
  ///
  /// The default is 1 MB.
  var maximumRecordBytes = 1_000_000
  /// How large a blob may be, in bytes.
  var maximumBlobBytes: Int
  /// The media types of blobs that its records may name; `nil` for any.
  var blobTypes: Set<String>?

  /// Creates a feed.
  init(_ name: String, maximumBlobBytes: Int, blobTypes: Set<String>? = nil) {
    self.name = name
    self.maximumBlobBytes = maximumBlobBytes
    self.blobTypes = blobTypes
  }

  /// Whether a record of it may name a blob.
  func takes(_ blob: Blob) -> Bool {
    blob.size <= maximumBlobBytes && blobTypes?.contains(blob.type) != false
  }

  /// The wallets' cards, with JPEGs of 16 MB at most.
  static let cards = Feed("cards", maximumBlobBytes: 16 << 20, blobTypes: ["image/jpeg"])
  /// Photos and videos with what belongs to them: files of any kind of 4 GB at most, and a million records.
  static let photos = {
    var feed = Feed("photos", maximumBlobBytes: 4 << 30)
    feed.maximumRecords = 1_000_000
    return feed
  }()
}

/// How much people may have, and how long what they have no more is kept.
struct Limits: Sendable {
  /// What there is.
  var feeds: [Feed] = [.cards, .photos]
  /// How many bytes a person may have, of records and blobs together; deleted records don't count.
  ///
  /// The default is 1 GB.
  var bytes = 1_000_000_000
  /// How long the trace of a deleted record is kept, and that a version was replaced: a client that comes after a
  /// longer time begins anew.
  ///
  /// The default is 400 days.
  var window = Duration.seconds(400 * 86_400)
  /// How long a blob is kept that no record names.
  ///
  /// The default is 30 days.
  var unnamed = Duration.seconds(30 * 86_400)
  /// How long an upload that isn't complete is kept.
  ///
  /// The default is two days.
  var upload = Duration.seconds(2 * 86_400)
  /// How many requests of a person may wait for news at a time.
  ///
  /// The default is 32.
  var waiting = 32

  /// Creates limits with default values.
  init() {}

  /// The feed of a name.
  func feed(_ name: String) -> Feed? { feeds.first { $0.name == name } }
}
