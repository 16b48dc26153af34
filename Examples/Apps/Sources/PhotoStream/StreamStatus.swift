import ErrorWords
import FeedClient
import Foundation

/// How far a photo stream is.
public struct StreamStatus: Codable, Hashable, Sendable {
  /// What is going on.
  public enum Phase: String, Codable, Sendable {
    /// It is asked whose the stream is.
    case joining
    /// All is exchanged, as far as is known.
    case idle
    /// Photos come or go.
    case working
    /// It doesn't work for now, and is tried again.
    case waiting
    /// It doesn't work before a person does something.
    case refused
  }

  /// A photo on its way.
  public struct Transfer: Codable, Hashable, Sendable {
    /// Its file's name.
    public var name: String
    /// How many bytes are there.
    public var done: Int
    /// Its size, in bytes.
    public var size: Int
  }

  /// What the stream has of a device.
  public struct Share: Codable, Hashable, Sendable {
    /// What the device calls itself.
    public var device: String
    /// How many photos.
    public var photos: Int
    /// When the newest came into the stream, in seconds since 1970; `nil` where that isn't known yet.
    public var newest: Double?
  }

  /// What is going on.
  public var phase = Phase.joining
  /// Why nothing goes on, for the person.
  public var reason: ErrorWords?
  /// Whose stream it is.
  public var person: String?
  /// How many photos wait to be sent.
  public var waiting = 0
  /// How large these are, in bytes.
  public var waitingBytes = 0
  /// How many photos wait to be fetched.
  public var wanted = 0
  /// How many photos of the stream aren't here, asked for or not.
  public var offered = 0
  /// Previews that came since the program began.
  public var previews = 0
  /// The photo that is being sent.
  public var sending: Transfer?
  /// The photo that is being fetched.
  public var fetching: Transfer?
  /// Photos that were sent since the program began.
  public var sent = 0
  /// Photos that came since the program began.
  public var received = 0
  /// What the stream has, by the devices' names.
  public var devices: [Share] = []
  /// Photos that the server doesn't take, with its reasons.
  public var problems: [ErrorWords] = []

  /// Nothing is known yet.
  public init() {}
}

extension StatusBoard<StreamStatus> {
  /// Shows how much of a photo has been sent.
  func sends(_ photo: StreamPhoto, done: Int) {
    change { status in
      status.phase = .working
      status.sending = .init(name: photo.fileName, done: done, size: photo.size)
    }
  }

  /// Shows how much of a photo has come.
  func fetches(_ photo: StreamPhoto, done: Int) {
    change { status in
      status.phase = .working
      status.fetching = .init(name: photo.fileName, done: done, size: photo.size)
    }
  }
}
