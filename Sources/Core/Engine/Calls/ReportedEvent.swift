import SKANCore

/// A session or an event that a host reports, with checked values. Its texts stay valid until the call ends.
package struct ReportedEvent {
    let name: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer?
    let amount: EventAmount?
    let device: Device
    /// The number of the re-engagement that the host named for credit; 0 = none named, `installAlone` = no credit.
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
