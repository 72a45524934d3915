import SKANCore
import SKANPostbackReceiving
import SKANSystem
import Testing

@testable import SKANCommandServer

private func part(_ name: String, _ content: String) -> ConfigurationPart {
    ConfigurationPart(
        name: Message(utf8: Array(name.utf8)), digest: Array(content.utf8).withUnsafeBytes { SHA256(of: $0) })
}

private func changes(_ parts: [ConfigurationPart], since old: [ConfigurationPart]) -> String {
    String(decoding: parts.changes(since: old).utf8, as: UTF8.self)
}

@Test func changesAreNamedAndWhatIsInThemIsNot() {
    let old = [part("key", "secret"), part("model", "1"), part("partner", "url")]
    #expect(changes(old, since: old) == "nothing changed in 3 parts")
    let new = [part("key", "another"), part("model", "1"), part("other", "url")]
    #expect(changes(new, since: old) == "3 changes, 3 parts: changed key, added other, gone partner")
}

@Test func ofManyChangesTheFirstAreNamed() {
    let many = (1...60).map { part("p\($0)", "") }
    let told = changes(many, since: [])
    #expect(told.hasPrefix("60 changes, 60 parts: added p1, added p2, "))
    #expect(told.hasSuffix(", added p50, and 10 more"))
}

@Test func whenTheLastOneCameIsToldByNetworkAndVersion() {
    let arrivals = PostbackArrivals()
    func add(_ network: String, _ version: String?, _ moment: Int64) {
        let version = version.map { Array($0.utf8) }
        if let version {
            version.withUnsafeBytes { arrivals.add(Array(network.utf8), version: $0, at: moment, PostbackQuality()) }
        } else {
            arrivals.add(Array(network.utf8), version: nil, at: moment, PostbackQuality())
        }
    }
    add("a.skadnetwork", "4.0", 20)
    add("a.skadnetwork", "4.0", 10)
    add("a.skadnetwork", nil, 30)
    add("\"}\n", "4.0", 40)
    let name = "skan_postback_last_counted_time_seconds"
    func lines() -> [Substring] {
        let all = String(decoding: arrivals.metrics.utf8, as: UTF8.self).split(separator: "\n")
        return all.filter { $0.hasPrefix("\(name){") }
    }
    #expect(
        lines() == [
            "\(name){network=\"a.skadnetwork\",version=\"4.0\"} 20",
            "\(name){network=\"a.skadnetwork\",version=\"AdAttributionKit\"} 30",
            "\(name){network=\"other\",version=\"4.0\"} 40",
        ])
    for number in 0..<1000 { add("network\(number)", "4.0", 50) }
    #expect(lines().count == 257)
}
