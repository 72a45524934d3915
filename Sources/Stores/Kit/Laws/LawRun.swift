internal import CSKANSystem
internal import SKANCore

/// The handles and keys for a run of the laws. No key has a record at first. Only one thread may use the run.
final class LawRun {
    let settings: LawSettings
    private let opener: any StoreUnderTestOpener
    private var own: Handle?
    /// The reason why the run's own handle could not be opened.
    private var notOpen: Message = ""
    /// The additional handles that the current law has opened.
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

    /// The handle that is open during the whole run.
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

    /// Opens another handle to the same records. If the store's handles do not share records, throws that the law is
    /// not applicable. The handle is closed at the end of the law.
    func another() throws(LawEnd) -> Handle {
        if !settings.isShared { throw .notApplicable("handles of this store do not share records") }
        let handle = Handle(store: try opener.open())
        others.append(handle)
        return handle
    }

    /// Opens one handle for each thread by calling `another`.
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

    /// The prefix of all keys of the current law, except exact keys.
    var beginning: [UInt8] { settings.prefix + Message("law-\(number)/").utf8 }

    /// A key that only this law uses, without a record. Its record is removed at the end of the law.
    func key(_ name: Message) throws(LawEnd) -> Key { try added(beginning + name.utf8) }

    func keys(_ count: Int, _ name: (Int) -> Message) throws(LawEnd) -> [Key] {
        try (0..<count).map { index throws(LawEnd) in try key(name(index)) }
    }

    /// A key that consists of the run's prefix and these bytes, without a record. Its record is removed at the end of
    /// the law.
    func exactKey(_ rest: [UInt8]) throws(LawEnd) -> Key { try added(settings.prefix + rest) }

    /// A key of the greatest length, filled up with `-`, without a record. Its record is removed at the end of the law.
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

    /// Starts the law with this number, which becomes a part of the law's keys.
    func begin(number: Int) { self.number = number }

    /// Cleans up after a law: closes its handles and removes its records. Failures are ignored, because the law is
    /// over.
    func clear() {
        closeOthers()
        for key in keys.reversed() { try? own?.clear(key) }
        keys = []
    }
}
