import SKANCore

/// A session or an event that a host reports, checked. Its texts stay valid until the call ends.
package struct ReportedEvent {
    let name: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer?
    /// The money that came with it.
    let amount: EventAmount?
    let device: Device
    /// The re-engagement for which it counts, as the host named it.
    let reengagement: UInt32

    @inline(__always)
    package init(
        name: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer?, amount: EventAmount?, device: Device,
        reengagement: UInt32
    ) {
        self.name = name
        self.id = id
        self.amount = amount
        self.device = device
        self.reengagement = reengagement
    }
}
