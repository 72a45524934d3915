import SKANCommandOutput
import SKANCore
import Testing

@testable import SKANCommandRecords

/// A registered conversion, at so many days since its first call.
private func text(_ protocolVersion: ProtocolVersion = .skan4, days: Int64) -> String {
    var conversion = Conversion(protocolVersion)
    (conversion.first, conversion.last) = (0, 0)
    return String(decoding: windowText(conversion, at: days * 86_400).utf8, as: UTF8.self)
}

@Test func aWindowIsOpenUntilTheNextOneBegins() {
    #expect(text(days: 1).hasPrefix("0, until 1970-01-03"))
    #expect(text(days: 2).hasPrefix("1, until 1970-01-08"))
    #expect(text(days: 34).hasPrefix("2, until 1970-02-05"))
    #expect(text(days: 35).hasPrefix("closed since 1970-02-05"))
}

@Test func whatIsNotRegisteredHasNoWindow() {
    #expect(windowText(Conversion(.skan4), at: 0).utf8.elementsEqual("none: not registered".utf8))
}
