import SKANCommandRows
import SKANCore

/// Installs and redownloads by the country of their first postback.
struct CountryCounts {
    /// Countries with installs or redownloads, sorted by country code.
    private var counts: [(country: CountryCode, installs: UInt64)] = []

    var countries: [CountryCode] { counts.map { $0.country } }

    subscript(country: CountryCode) -> UInt64 {
        counts.first { $0.country == country }?.installs ?? 0
    }

    /// `country`: the code in the postback; empty if there is none.
    mutating func addInstall(_ country: [UInt8]) { add(1, CountryCode(country)) }

    mutating func add(_ more: CountryCounts) {
        for each in more.counts { add(each.installs, each.country) }
    }

    private mutating func add(_ installs: UInt64, _ country: CountryCode) {
        let place = counts.firstIndex { $0.country >= country } ?? counts.count
        if place == counts.count || counts[place].country != country { counts.insert((country, 0), at: place) }
        counts[place].installs += installs
    }
}

/// A country code of two letters. A postback's country is not signed, so it can be any text. Text of another form
/// becomes `unknown`, which limits the number of different codes to 678.
struct CountryCode: Comparable {
    private let letters: UInt16

    static var notReported: CountryCode { CountryCode([]) }
    static var unknown: CountryCode { CountryCode([UInt8]("?".utf8)) }

    init(_ text: [UInt8]) {
        switch text.count {
        case 0: letters = 0
        case 2 where text.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }:
            letters = UInt16(text[0]) << 8 | UInt16(text[1])
        default: letters = 1
        }
    }

    /// The two letters; nil for `notReported` and `unknown`.
    var name: Message? {
        letters < 256 ? nil : Message(utf8: [UInt8(letters >> 8), UInt8(truncatingIfNeeded: letters)])
    }

    static func < (one: CountryCode, other: CountryCode) -> Bool { one.letters < other.letters }
}
