/// The properties of a kind of store, so that nothing else has to know them.
package struct StoreDescription: Sendable {
    /// How its URLs begin: "redis://". One without "//" goes on with a file's name.
    package let schemes: [StaticString]
    /// How long a call waits, in milliseconds, and with how many connections, where the host says nothing.
    package let timeout, connections: UInt32
    /// A listing shows a key once, also while others write. Else whoever counts has to remember what it saw.
    package let listsEachKeyOnce: Bool
    /// It lists its keys at all.
    package var canList = true

    package init(schemes: [StaticString], timeout: UInt32, connections: UInt32, listsEachKeyOnce: Bool) {
        self.schemes = schemes
        self.timeout = timeout
        self.connections = connections
        self.listsEachKeyOnce = listsEachKeyOnce
    }
}

/// What any store over a server or a file may be asked for; an hour and 1024 are enough for all.
package enum StoreLimits {
    package static var timeout: UInt32 { 3_600_000 }
    package static var connections: UInt32 { 1024 }
}
