internal import SKANCore

/// A listing of keys, page by page.
struct Listing {
    /// The keys, in the order in which they were listed.
    private(set) var keys: [[UInt8]] = []
    private var known = Ordered<[UInt8]> { $0.lexicographicallyPrecedes($1) }
    private var pages = 0
    private var cursor: [UInt8] = []
    /// The prefix for list_with_prefix; nil if list is called.
    private let prefix: [UInt8]?

    /// The greatest number of pages; a longer listing counts as endless.
    private static var mostPages: Int { 1_000_000 }

    var isComplete: Bool { pages > 0 && cursor.isEmpty }

    init(withPrefix prefix: [UInt8]? = nil) { self.prefix = prefix }

    /// Reads all pages through these handles in turn, and keeps the keys that start with `beginning`.
    init(_ handles: Handle..., withPrefix prefix: [UInt8]? = nil, of beginning: [UInt8] = []) throws(LawEnd) {
        self.init(withPrefix: prefix)
        repeat { try readPage(handles[pages % handles.count], of: beginning) } while !isComplete
    }

    /// Reads the next page, and keeps its keys that start with `beginning`.
    mutating func readPage(_ handle: Handle, of beginning: [UInt8]) throws(LawEnd) {
        let page = handle.listed(withPrefix: prefix, after: cursor)
        guard page.status == .ok else { throw .broken("\(name): answered \(page.status.told)") }
        guard pages < Listing.mostPages else { throw .broken("\(name): more than \(Listing.mostPages) pages") }
        pages += 1
        cursor = page.cursor
        try add(page.keys, of: beginning)
    }

    /// Adds the keys of a page that start with `beginning`. Each key of the page must end with a NUL.
    mutating func add(_ page: [UInt8], of beginning: [UInt8] = []) throws(LawEnd) {
        var rest = page[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 0) else {
                throw .broken("\(name): the last key of a page is not ended by a NUL")
            }
            let key = rest[..<end]
            guard 1...Limits.installIDBytes ~= key.count else { throw .broken("\(name): a key of \(key.count) bytes") }
            try note([UInt8](key), of: beginning)
            rest = rest[(end + 1)...]
        }
    }

    private mutating func note(_ key: [UInt8], of beginning: [UInt8]) throws(LawEnd) {
        if let prefix, !key.starts(with: prefix) {
            throw .broken("\(name): a key that does not begin with \(Key.shown(prefix)): \(Key.shown(key))")
        }
        guard key.starts(with: beginning) else { return }
        keys.append(key)
        _ = known.insert(key)
    }

    func contains(_ key: Key) -> Bool { known.contains(key.bytes) }

    func expect(_ keys: [Key], _ what: StaticString = "a key with a record is missing") throws(LawEnd) {
        for key in keys where !contains(key) { throw .broken("\(name): \(what): \(key.shown)") }
    }

    /// The name of the call that reads the pages.
    var name: StaticString { prefix == nil ? "list" : "list_with_prefix" }
}

extension Handle {
    /// Reads a page with list_with_prefix, or with list if the prefix is nil.
    func listed(withPrefix prefix: [UInt8]?, after cursor: [UInt8]) -> Listed {
        cursor.withUnsafeBytes { cursor in
            guard let prefix else { return store.list(withPrefix: nil, after: cursor) }
            return store.list(withPrefix: Key(prefix).text, after: cursor)
        }
    }
}

extension LawRun {
    /// Expects that a listing contains those of `keys` that start with the prefix, and no other keys of this law.
    func lists(_ store: Handle, withPrefix prefix: [UInt8]? = nil, _ keys: [Key]) throws(LawEnd) {
        let listing = try Listing(store, withPrefix: prefix, of: prefix == nil ? settings.prefix : [])
        let expected = keys.filter { $0.bytes.starts(with: prefix ?? []) }
        try listing.expect(expected)
        let beginning = self.beginning
        for key in listing.keys where key.starts(with: beginning) && !expected.contains(where: { $0.bytes == key }) {
            throw .broken("\(listing.name): a key without a record: \(Key.shown(key))")
        }
    }
}
