/// The properties of one kind of store.
package struct StoreDescription: Sendable {
    /// The beginnings of the store's URLs, such as "redis://". A scheme without "//" is followed by a file name.
    package let schemes: [StaticString]
    /// The default time that a call may wait, in milliseconds, and the default number of connections.
    package let timeout, connections: UInt32
    /// Whether a listing shows each key only once, even during writes. If not, a caller that counts keys must remember
    /// the keys that it has seen.
    package let listsEachKeyOnce: Bool
    package var canList = true

    package init(schemes: [StaticString], timeout: UInt32, connections: UInt32, listsEachKeyOnce: Bool) {
        self.schemes = schemes
        self.timeout = timeout
        self.connections = connections
        self.listsEachKeyOnce = listsEachKeyOnce
    }
}

/// The greatest time-out, in milliseconds, and the greatest number of connections that a store accepts.
package enum StoreLimits {
    package static var timeout: UInt32 { 3_600_000 }
    package static var connections: UInt32 { 1024 }
}
