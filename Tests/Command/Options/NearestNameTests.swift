import SKANCore
import Testing

@testable import SKANCommand

private let names = ["serve", "show", "store", "stores", "export", "a"]

private func near(_ word: String) -> [String] {
    nearest(to: Array(word.utf8), among: names.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
}

@Test(arguments: [
    ("sreve", ["serve"]), ("shwo", ["show"]), ("stroe", ["store"]), ("storex", ["store", "stores"]),
    ("xport", ["export"]), ("serves", ["serve"]), ("srvees", []), ("nonsense", []), ("b", []), ("", []),
])
func theNamesWithTheFewestChangesAreMeant(word: String, meant: [String]) { #expect(near(word) == meant) }

@Test func aLongWordMeansNothing() { #expect(near(String(repeating: "s", count: 100_000)) == []) }
