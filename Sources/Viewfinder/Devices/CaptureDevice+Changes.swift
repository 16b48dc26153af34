public import Foundation

extension CaptureDevice {
  /// A camera that came or went.
  public enum Change: Hashable, Sendable {
    /// Programs can use the camera from now on.
    case connected(CaptureDevice)
    /// Somebody unplugged the camera, or this process may no longer open it.
    case disconnected(CaptureDevice)
  }

  /// The cameras that come and go from now on.
  ///
  /// A camera appears once this process may open it: its node exists before it has its group and
  /// permissions. A camera that moves to another node disconnects and connects again; its
  /// ``uniqueID`` stays. Each use makes a sequence of its own, which ends with its reader's task. A
  /// reader who falls behind loses the oldest of more than 256 changes. Simulated cameras don't
  /// appear.
  public static var changes: AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Change.self, bufferingPolicy: .bufferingNewest(sequenceLimit))
    let subscription = DeviceMonitor.shared.subscribe { continuation.yield($0) }
    continuation.onTermination = { _ in withExtendedLifetime(subscription) {} }
    return stream
  }

  /// Posted when a camera was plugged in, as long as a ``DiscoverySession`` exists; the object is the
  /// ``CaptureDevice``.
  ///
  /// Apple's `AVCaptureDevice.wasConnectedNotification`.
  public static let wasConnectedNotification = Notification.Name("CaptureDeviceWasConnected")
  /// Posted when a camera was unplugged, as long as a ``DiscoverySession`` exists; the object is the
  /// ``CaptureDevice``.
  ///
  /// Apple's `AVCaptureDevice.wasDisconnectedNotification`.
  public static let wasDisconnectedNotification = Notification.Name("CaptureDeviceWasDisconnected")

  /// Posts notifications while any discovery session exists, each once.
  final class Notifier: Sendable {
    private static let current = Mutex<Weak>(Weak())

    private struct Weak { weak var notifier: Notifier? }

    private let subscription: DeviceMonitor.Subscription

    private init() {
      subscription = DeviceMonitor.shared.subscribe { change in
        switch change {
        case .connected(let device):
          NotificationCenter.default.post(name: wasConnectedNotification, object: device)
        case .disconnected(let device):
          NotificationCenter.default.post(name: wasDisconnectedNotification, object: device)
        }
      }
    }

    /// The one that posts, and the video nodes of this moment.
    static func join() -> (Notifier, [DeviceNode]) {
      let (notifier, isNew) = current.withLock { current in
        if let notifier = current.notifier { return (notifier, false) }
        let notifier = Notifier()
        current.notifier = notifier
        return (notifier, true)
      }
      let nodes = isNew ? notifier.subscription.nodes : (try? DeviceNode.all()) ?? []
      return (notifier, nodes)
    }
  }
}
