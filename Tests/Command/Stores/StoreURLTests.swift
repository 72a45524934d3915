import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem
import Testing

struct StoreURLTests {
    private func refusal(_ url: String, among kinds: [StoreKind] = StoreKind.known) -> String {
        do throws(CommandEnd) {
            _ = try OpenStore.open(CText(url.utf8), for: .fills, among: kinds)
            return "opened"
        } catch {
            guard case .complaint(let what, let why, let code) = error else { return "\(error)" }
            let whole: Message = "\(code.rawValue) \(what): \(why)"
            return String(decoding: whole.utf8, as: UTF8.self)
        }
    }

    private func kind(_ schemes: StaticString...) -> StoreKind {
        let description = StoreDescription(schemes: schemes, timeout: 1, connections: 1, listsEachKeyOnce: true)
        return StoreKind(description) { _, _, _ throws(StoreRefusal) in throw StoreRefusal("never opened", .usage) }
    }

    @Test func anotherSchemeIsToldAllThereAre() {
        #expect(
            refusal("mysql://u:p@h", among: [kind("file:"), kind("one://", "two://")])
                == "2 mysql://u:***@h: no such kind of store, expected file:FILE, one://..., two://..., or env:NAME")
    }

    @Test(arguments: ["sqlite:", "sqlite://", "sqlite://host/file"])
    func aFileIsNamed(_ url: String) {
        #expect(
            refusal(url)
                == "2 \(url): expected sqlite:FILE, for instance sqlite:players.db or sqlite:/var/lib/players.db")
    }

    @Test func namesOfSQLitesOwnAreRefused() {
        #expect(refusal("sqlite::memory:").hasPrefix("2 sqlite::memory:: expected sqlite:FILE, got SQLite's name for"))
        #expect(
            refusal("sqlite:file:a.db").hasSuffix("a URI of SQLite; for a file of this name, write sqlite:./file:..."))
    }
}
