internal import CSKANSystem
internal import SKANCore

/// Keys that were listed, page by page.
struct Listing {
    /// The keys in the order in which they came.
    private(set) var keys: [[UInt8]] = []
    private(set) var pages = 0
    private var cursor: [UInt8] = []
    private var sorted: [[UInt8]] = []

    /// The prefix of list_with_prefix; nil for list.
    private var prefix: [UInt8]?

    /// The most pages of one listing; a longer one is taken to be endless.
    private static var mostPages: Int { 1_000_000 }

    /// Whether all pages were read.
    var isComplete: Bool { pages > 0 && cursor.isEmpty }

    /// Reads all pages, from the first to the last, of the keys that begin so.
    init(_ handle: Handle, of beginning: [UInt8]) throws(LawEnd) {
        repeat { try readPage(handle, of: beginning) } while !isComplete
        sort()
    }

    /// Reads all pages of list_with_prefix.
    init(_ handle: Handle, withPrefix prefix: [UInt8]) throws(LawEnd) {
        self.init(withPrefix: prefix)
        repeat { try readPage(handle, of: []) } while !isComplete
        sort()
    }

    /// A listing before its first page. `withPrefix`: of list_with_prefix.
    init(withPrefix prefix: [UInt8]? = nil) { self.prefix = prefix }

    /// Reads the next page.
    mutating func readPage(_ handle: Handle, of beginning: [UInt8]) throws(LawEnd) {
        let page = handle.listed(withPrefix: prefix, after: cursor)
        guard page.status == .ok else { throw .broken("\(name): answered \(page.status.told)") }
        guard pages < Listing.mostPages else { throw .broken("\(name): more than \(Listing.mostPages) pages") }
        pages += 1
        cursor = page.cursor
        try add(page.keys, of: beginning)
    }

    /// Takes keys from a page, where each must be ended by a NUL.
    mutating func add(_ page: [UInt8], of beginning: [UInt8] = []) throws(LawEnd) {
        var rest = page[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 0) else {
                throw .broken("\(name): the last key of a page is not ended by a NUL")
            }
            let key = rest[..<end]
            guard 1...Limits.installIDBytes ~= key.count else { throw .broken("\(name): a key of \(key.count) bytes") }
            if key.starts(with: beginning) { keys.append([UInt8](key)) }
            rest = rest[(end + 1)...]
        }
    }

    /// Sorts the keys, so that they can be found.
    mutating func sort() { sorted = keys.sorted { compare($0, $1) < 0 } }

    func contains(_ key: [UInt8]) -> Bool {
        var range = sorted.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let order = compare(sorted[middle], key)
            if order == 0 { return true }
            range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    func contains(_ key: Key) -> Bool { contains(key.bytes) }

    func expect(_ keys: [Key], _ what: StaticString = "a key with a record is missing") throws(LawEnd) {
        for key in keys where !contains(key) { throw .broken("\(name): \(what): \(key.shown)") }
    }

    /// The name of the call.
    var name: StaticString { prefix == nil ? "list" : "list_with_prefix" }
}

extension Handle {
    /// A page of list, or of list_with_prefix.
    func listed(withPrefix prefix: [UInt8]?, after cursor: [UInt8]) -> Listed {
        cursor.withUnsafeBytes { cursor in
            guard let prefix else { return store.list(after: cursor) }
            return (prefix + [0]).withUnsafeBytes { bytes in
                guard let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress else {
                    return Listed(.store, keys: [], cursor: [])
                }
                return store.list(withPrefix: text, after: cursor)
            }
        }
    }
}

/// The order of two keys: below 0 if the left one comes first, 0 if they are the same.
private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let order = left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
            guard let start = left.baseAddress, let other = right.baseAddress else { return 0 }
            return Int(memcmp(start, other, min(left.count, right.count)))
        }
    }
    return order != 0 ? order : left.count - right.count
}
