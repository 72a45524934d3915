package import SKANCore
package import SKANSystem

/// A handle of a store that is tried. It is called from several threads at once, and answers what it likes: nothing of
/// it is taken to be so. What it is lent is there during the call only.
package protocol StoreUnderTest: AnyObject, Sendable {
    var offers: OptionalCalls { get }
    /// One load after the other, into buffers that are there together and are read at the end. Here and below there are
    /// as many answers as calls, whatever the store says. `held` is what the records shall replace, where a store is
    /// given buffers to put them into; nil = what an earlier call left there.
    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded]
    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written
    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status
    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded]
    func saveMany(_ saves: [LentSave]) -> [Written]
    /// A page of list_with_prefix, or of list where the prefix is nil.
    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed
    /// The last call; any later one fails.
    func close()
}

/// What a store may offer or not.
package struct OptionalCalls: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static var loadMany: OptionalCalls { OptionalCalls(rawValue: 1) }
    package static var saveMany: OptionalCalls { OptionalCalls(rawValue: 2) }
    package static var list: OptionalCalls { OptionalCalls(rawValue: 4) }
    package static var listWithPrefix: OptionalCalls { OptionalCalls(rawValue: 8) }
}

/// What a load was answered.
package struct Loaded: Sendable {
    package let status: Status
    /// 0 unless the answer is OK.
    package let version: UInt64
    package let record: [UInt8]
    /// The store changed the item of the call for many.
    package let isItemChanged: Bool

    package init(_ status: Status, version: UInt64, _ record: [UInt8], isItemChanged: Bool = false) {
        self.status = status
        self.version = status == .ok ? version : 0
        self.record = record
        self.isItemChanged = isItemChanged
    }
}

/// What a save was answered.
package struct Written: Sendable {
    package let status: Status
    /// 0 unless the answer is OK.
    package let version: UInt64
    /// The store changed what it was told in the item of the call for many.
    package let isItemChanged: Bool

    package init(_ status: Status, version: UInt64, isItemChanged: Bool = false) {
        self.status = status
        self.version = status == .ok ? version : 0
        self.isItemChanged = isItemChanged
    }
}

/// One of many saves.
package struct LentSave {
    package let key: UnsafePointer<CChar>
    package let record: Bytes
    package let expected: UInt64
}

/// A page of keys, each ended by a NUL, and the cursor behind it.
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

/// Opens handles of the store that is tried.
package protocol StoreUnderTestOpener: AnyObject {
    /// Throws why there is none.
    func open() throws(LawEnd) -> any StoreUnderTest
    /// Called while no handle is open: what the next one finds shall be what is really kept.
    func reopen() -> Status
}

/// Why a law ends before its end.
package enum LawEnd: Error {
    /// What came instead.
    case broken(Message)
    /// It is about what the store does not claim or offer.
    case notApplicable(Message)
}

/// What became of a law.
package typealias LawOutcome = Result<Void, LawEnd>

extension Status {
    /// The status's name and number: foreign stores answer numbers that have no name.
    package var told: Message { "\(name) (\(rawValue))" }
}
