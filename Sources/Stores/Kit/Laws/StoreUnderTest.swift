package import SKANCore
package import SKANSystem

/// A handle of the store under test. Several threads call it at once. It may answer anything; the kit does not rely on
/// its answers. The memory in its arguments is valid only during the call.
package protocol StoreUnderTest: AnyObject, Sendable {
    var offers: OptionalCalls { get }
    /// Loads the keys one by one, into buffers that exist at the same time and are read at the end. Here and in the
    /// calls below there are as many answers as keys, whatever the store says. If the store is given buffers, they
    /// first contain `held`, or what an earlier call left in them if `held` is nil.
    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded]
    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written
    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status
    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded]
    func saveMany(_ saves: [LentSave]) -> [Written]
    /// Reads a page with list_with_prefix, or with list if the prefix is nil.
    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed
    /// Any later call fails.
    func close()
}

package struct OptionalCalls: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static var loadMany: OptionalCalls { OptionalCalls(rawValue: 1) }
    package static var saveMany: OptionalCalls { OptionalCalls(rawValue: 2) }
    package static var list: OptionalCalls { OptionalCalls(rawValue: 4) }
    package static var listWithPrefix: OptionalCalls { OptionalCalls(rawValue: 8) }
}

/// The result of a load.
package struct Loaded: Sendable {
    package let status: Status
    /// The version of the record; 0 unless the answer is OK.
    package let version: UInt64
    package let record: [UInt8]
    /// Whether the store changed the inputs in an item of load_many.
    package let isItemChanged: Bool

    package init(_ status: Status, version: UInt64, _ record: [UInt8], isItemChanged: Bool = false) {
        self.status = status
        self.version = status == .ok ? version : 0
        self.record = record
        self.isItemChanged = isItemChanged
    }
}

/// The result of a save.
package struct Written: Sendable {
    package let status: Status
    /// The new version; 0 unless the answer is OK.
    package let version: UInt64
    /// Whether the store changed the inputs in an item of save_many.
    package let isItemChanged: Bool

    package init(_ status: Status, version: UInt64, isItemChanged: Bool = false) {
        self.status = status
        self.version = status == .ok ? version : 0
        self.isItemChanged = isItemChanged
    }
}

/// One save of a call that makes many.
package struct LentSave {
    package let key: UnsafePointer<CChar>
    package let record: Bytes
    package let expected: UInt64
}

/// A page of keys, each with a NUL at its end, and the cursor of the next page.
package struct Listed {
    package let status: Status
    package let keys: [UInt8]
    package let cursor: [UInt8]

    package init(_ status: Status, keys: [UInt8], cursor: [UInt8]) {
        self.status = status
        self.keys = keys
        self.cursor = cursor
    }
}

package protocol StoreUnderTestOpener: AnyObject {
    /// Throws the reason if no handle can be opened.
    func open() throws(LawEnd) -> any StoreUnderTest
    /// Called while no handle is open, so that the next handle finds only what is durably stored.
    func reopen() -> Status
}

/// The reason why a law ended early.
package enum LawEnd: Error {
    /// The law is broken; the message says what happened instead.
    case broken(Message)
    /// The law is about something that the store does not claim or offer.
    case notApplicable(Message)
}

package typealias LawOutcome = Result<Void, LawEnd>

extension Status {
    /// The status's name and number. A store may answer a number that has no name.
    package var told: Message { "\(name) (\(rawValue))" }
}
