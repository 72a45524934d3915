/// An update for the app to pass to Apple.
package struct ValueUpdate: Equatable, Sendable {
    /// Rules, "Update numbers": the number of the update.
    package var id: UInt64
    package var window: Window
    package var fine: UInt8?
    package var coarse: UInt8?
    package var locksWindow: Bool
    /// The time at which the value was decided, Unix seconds.
    package var timestamp: Int64

    package init(
        id: UInt64, window: Window, fine: UInt8?, coarse: UInt8? = nil, locksWindow: Bool = false, timestamp: Int64
    ) {
        self.id = id
        self.window = window
        self.fine = fine
        self.coarse = coarse
        self.locksWindow = locksWindow
        self.timestamp = timestamp
    }
}
