import CSKANSystem
package import SKANCommandOutput
package import SKANCore
package import SKANStorePool
package import SKANSystem

package final class OpenStore {
    package let records: RecordStore
    /// The store's URL without its password.
    package let name: Message
    package let canList, listsEachKeyOnce: Bool
    /// The number of connections that read the whole store in parallel.
    package let jobs: Int
    private let said: LastWords

    /// The store's last error message since `calm` was called. Only for a store that was opened without `report`.
    package var words: Message { said.words ?? OpenStore.noReason }

    static var noReason: Message { "the store failed and gave no reason" }

    package func calm() { said.words = nil }

    /// Opens the store with a URL, or with the URL in an environment variable given as env:NAME. `report` receives the
    /// store's messages, on any thread; without it, `words` has the last one.
    package static func open(
        _ url: CText, for use: StoreUse, among kinds: [StoreKind] = StoreKind.known, jobs: Int = 1,
        report: ((Failure) -> Void)? = nil
    ) throws(CommandEnd) -> OpenStore {
        let url = try resolved(url)
        let utf8 = url.message.utf8
        let name = masked(url)
        for kind in kinds where kind.description.schemes.contains(where: { utf8.starts(with: $0.bytes) }) {
            return try OpenStore(kind, url, name, for: use, jobs, report)
        }
        throw .complaint(
            what: name, why: "no such kind of store, expected \(expectedURLs(kinds))\(fileQuestion(utf8))", .usage)
    }

    /// Opens an existing store, or checks that a missing one could be created; creates nothing. Returns the store's URL
    /// without its password, and whether the store exists. Throws if the store could not be opened for filling, or
    /// created.
    package static func check(_ url: CText) throws(CommandEnd) -> (name: Message, isThere: Bool) {
        let resolved = try resolved(url)
        let utf8 = resolved.message.utf8
        let kind = StoreKind.known.first { $0.description.schemes.contains { utf8.starts(with: $0.bytes) } }
        if let kind {
            do throws(StoreRefusal) {
                guard try kind.isThere(resolved) else { return (masked(resolved), false) }
            } catch {
                throw .complaint(what: masked(resolved), why: error.why, error.code)
            }
        }
        return (try open(url, for: .tries).name, true)
    }

    private convenience init(
        _ kind: StoreKind, _ url: CText, _ name: Message, for use: StoreUse, _ jobs: Int,
        _ report: ((Failure) -> Void)?
    ) throws(CommandEnd) {
        let said = LastWords()
        let records: RecordStore
        do throws(StoreRefusal) {
            records = try kind.open(url, use, report ?? { said.words = $0.message })
        } catch {
            throw .complaint(what: name, why: error.why, error.code)
        }
        self.init(records, name, jobs, said, kind.description)
    }

    private init(
        _ records: RecordStore, _ name: Message, _ jobs: Int, _ said: LastWords, _ description: StoreDescription
    ) {
        self.records = records
        self.name = name
        self.jobs = jobs
        self.said = said
        canList = description.canList
        listsEachKeyOnce = description.listsEachKeyOnce
    }
}

private final class LastWords {
    private let monitor = Monitor()
    /// Guarded by the monitor.
    private var said: Message?

    var words: Message? {
        get { monitor.hold { said } }
        set { monitor.hold { said = newValue } }
    }
}

private func masked(_ url: CText) -> Message { url.message.utf8.withUnsafeBytes { maskedURL($0) } }

/// Lists the forms of URLs of all kinds, so that a new kind of store needs no change here.
private func expectedURLs(_ kinds: [StoreKind]) -> Message {
    var forms: [UInt8] = []
    for scheme in kinds.flatMap({ $0.description.schemes }) {
        let isFile = scheme.bytes.last != UInt8(ascii: "/")
        forms += scheme.bytes
        forms += (isFile ? "FILE, " : "..., " as StaticString).bytes
    }
    return "\(Message(utf8: forms))or env:NAME"
}

/// Returns the end of an error's message, "; did you mean sqlite:…?", for a URL that has no scheme but may be the name
/// of a file; empty for any other text.
private func fileQuestion(_ url: [UInt8]) -> Message {
    let isName = url.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "@") }
    guard isName, url.contains(UInt8(ascii: ".")) || url.contains(UInt8(ascii: "/")) else { return "" }
    return "; did you mean sqlite:\(Message(utf8: url))?"
}

/// Returns the URL that env:NAME stands for; other URLs unchanged.
private func resolved(_ url: CText) throws(CommandEnd) -> CText {
    let mark = StaticString("env:").bytes
    guard url.message.utf8.starts(with: mark) else { return url }
    let variable = [CChar](url.characters.dropFirst(mark.count))
    guard let value = getenv(variable), value.pointee != 0 else {
        throw .complaint(what: masked(url), why: "this environment variable is not set", .usage)
    }
    let found = CText(copying: value)
    if found.message.utf8.starts(with: mark) {
        throw .complaint(what: masked(url), why: "expected the URL of a store in this variable", .usage)
    }
    return found
}
