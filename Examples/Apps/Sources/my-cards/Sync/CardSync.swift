import CardStore
import FeedSync

/// Keeps a wallet and a backend in agreement.
public typealias CardSync = FeedSync<CardStore>
