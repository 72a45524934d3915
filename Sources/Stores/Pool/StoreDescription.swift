/// The properties of one kind of store, kept in one place.
package struct StoreDescription: Sendable {
    /// The beginnings of its URLs, such as "redis://". After a scheme without "//" comes a file name.
    package let schemes: [StaticString]
    /// The time that a call may wait, in milliseconds, and the number of connections, unless the host sets them.
    package let timeout, connections: UInt32
    /// Whether a listing shows each key only once, even during writes. Otherwise a caller that counts keys must
    /// remember them.
    package let listsEachKeyOnce: Bool
    /// Whether the store can list its keys.
    package var canList = true

    package init(schemes: [StaticString], timeout: UInt32, connections: UInt32, listsEachKeyOnce: Bool) {
        self.schemes = schemes
        self.timeout = timeout
        self.connections = connections
        self.listsEachKeyOnce = listsEachKeyOnce
    }
}

/// The greatest time-out, in milliseconds, and the greatest number of connections that any store takes.
package enum StoreLimits {
    package static var timeout: UInt32 { 3_600_000 }
    package static var connections: UInt32 { 1024 }
}
