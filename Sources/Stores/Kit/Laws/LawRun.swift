internal import CSKANSystem
internal import SKANCore

/// What laws are tried with: handles of the store, and keys that begin without a record. Of one thread.
final class LawRun {
    let settings: LawSettings
    private let opener: any StoreUnderTestOpener
    private var own: Handle?
    /// Why there is no handle.
    private var notOpen: Message = ""
    /// The handles that were opened beside it for the law.
    private var others: [Handle] = []
    private var number = 0
    private var keys: [Key] = []

    var threads: Int { settings.threads }
    var rounds: Int { settings.rounds }
    var drawing: Drawing { Drawing(seed: settings.seed) }

    init(_ settings: LawSettings, _ opener: any StoreUnderTestOpener) {
        self.settings = settings
        self.opener = opener
        _ = try? openOwn()
    }

    func end() { own?.close() }

    // MARK: Handles

    /// The handle that is open all the time.
    func handle() throws(LawEnd) -> Handle {
        guard let own else { throw .broken("there is no handle: \(notOpen)") }
        return own
    }

    private func openOwn() throws(LawEnd) -> Handle {
        do throws(LawEnd) {
            let handle = Handle(store: try opener.open())
            own = handle
            return handle
        } catch {
            if case .broken(let reason) = error { notOpen = reason }
            throw error
        }
    }

    /// Closes every handle and opens a new one.
    func reopen() throws(LawEnd) -> Handle {
        closeOthers()
        own?.close()
        own = nil
        let status = opener.reopen()
        let handle = try openOwn()
        guard status == .ok else { throw .broken("reopen: answered \(status.told)") }
        return handle
    }

    /// Opens another handle to the same records, where the store shares them. It is closed when the law ends.
    func another() throws(LawEnd) -> Handle {
        if !settings.isShared { throw .notApplicable("handles of this store do not share records") }
        let handle = Handle(store: try opener.open())
        others.append(handle)
        return handle
    }

    /// A handle for each thread, where the store shares its records.
    func handles() throws(LawEnd) -> [Handle] {
        try (0..<threads).map { _ throws(LawEnd) in try another() }
    }

    func closeOthers() {
        for handle in others.reversed() { handle.close() }
        others = []
    }

    func isDurable() throws(LawEnd) {
        if !settings.isDurable { throw .notApplicable("the store is not durable") }
    }

    // MARK: Keys

    /// What every key of the law begins with, but exact ones.
    var beginning: [UInt8] { settings.prefix + Message("law-\(number)/").utf8 }

    /// A key of this law alone, without a record. Its record is removed when the law ends.
    func key(_ name: Message) throws(LawEnd) -> Key { try added(beginning + name.utf8) }

    func keys(_ count: Int, _ name: (Int) -> Message) throws(LawEnd) -> [Key] {
        try (0..<count).map { index throws(LawEnd) in try key(name(index)) }
    }

    /// The same of exactly these bytes behind the prefix.
    func exactKey(_ rest: [UInt8]) throws(LawEnd) -> Key { try added(settings.prefix + rest) }

    /// The same, filled up with `-` to the longest key.
    func longestKey(_ name: Message) throws(LawEnd) -> Key {
        let start = beginning + name.utf8
        let fill = [UInt8](repeating: UInt8(ascii: "-"), count: max(0, Limits.installIDBytes - start.count))
        return try added(start + fill)
    }

    private func added(_ bytes: [UInt8]) throws(LawEnd) -> Key {
        let key = Key(bytes)
        keys.append(key)
        try handle().clear(key)
        return key
    }

    // MARK: Laws

    /// A law is tried; its number is in its keys.
    func begin(number: Int) { self.number = number }

    /// Ends the run. What it leaves behind is not its business any more, nor is whether that can be removed.
    func clear() {
        closeOthers()
        for key in keys.reversed() { try? own?.clear(key) }
        keys = []
    }
}
