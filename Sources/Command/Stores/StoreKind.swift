package import SKANCommandOutput
package import SKANCore
package import SKANStorePool
package import SKANSystem

/// The purpose for which a store is opened.
package enum StoreUse: Sendable {
    /// The store is only read, and must exist.
    case reads
    /// The store is filled, and is created if it does not exist. Saved records must be durable.
    case fills
    /// Records are changed, and the store must exist. Changes must be durable.
    case changes
    /// Records are removed, and the store must exist. Durability is relaxed, since a removal lost in a power failure is
    /// simply made again.
    case removes
    /// The store is only checked for whether it could be filled. Nothing is created, and a missing table is not an
    /// error.
    case tries
}

/// The reason why a store is not opened. It does not name the store.
package struct StoreRefusal: Error {
    let why: Message
    let code: ExitCode

    package init(_ why: Message, _ code: ExitCode) {
        self.why = why
        self.code = code
    }
}

/// The help on a kind of store: the form of its URLs, and a description.
package struct StoreHelp: Sendable {
    package let form, text: StaticString
}

/// A kind of store that the command can open by URL.
package struct StoreKind: Sendable {
    package typealias Report = (Failure) -> Void
    package typealias Open =
        @Sendable (_ url: CText, _ use: StoreUse, _ report: @escaping Report) throws(StoreRefusal) -> RecordStore

    package let description: StoreDescription
    /// nil for kinds made by tests.
    package let help: StoreHelp?
    package let open: Open
    /// Whether the store with a URL exists. Throws if it could not be filled, or created.
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
