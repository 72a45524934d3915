package import SKANCommandOutput
package import SKANCore
package import SKANStorePool
package import SKANSystem

/// What a store is opened for.
package enum StoreUse: Sendable {
    /// The store is read, and must exist.
    case reads
    /// The store is filled, and is made if it does not exist; what is saved must be durable.
    case fills
    /// Records are removed, and the store must exist; a removal that a power failure undoes does no harm, since it is
    /// repeated.
    case removes
    /// Opens the store to see whether it could be filled: nothing is made, and a missing table is no fault.
    case tries
}

/// Why a store is not opened, in words that do not name it.
package struct StoreRefusal: Error {
    let why: Message
    let code: ExitCode

    package init(_ why: Message, _ code: ExitCode) {
        self.why = why
        self.code = code
    }
}

/// What help says about a kind of stores: the form of its URLs, and what such a store is.
package struct StoreHelp: Sendable {
    package let form, text: StaticString
}

/// A kind of stores that the command opens by URL.
package struct StoreKind: Sendable {
    package typealias Report = (Failure) -> Void
    package typealias Open =
        @Sendable (_ url: CText, _ use: StoreUse, _ report: @escaping Report) throws(StoreRefusal) -> RecordStore

    package let description: StoreDescription
    /// nil for a test's own kind.
    package let help: StoreHelp?
    package let open: Open
    /// Whether there is something to open: where there is not, it could be made.
    let isThere: @Sendable (_ url: CText) throws(StoreRefusal) -> Bool

    package init(
        _ description: StoreDescription, _ help: StoreHelp? = nil,
        isThere: @escaping @Sendable (_ url: CText) throws(StoreRefusal) -> Bool = { _ throws(StoreRefusal) in true },
        open: @escaping Open
    ) {
        self.description = description
        self.help = help
        self.isThere = isThere
        self.open = open
    }
}
