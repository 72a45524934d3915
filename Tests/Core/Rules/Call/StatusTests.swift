import Foundation
import SKANCore
import Testing

/// Rules, "Statuses": what a call answers is what skan.h says of it, by number and by name. Other tests know a few of
/// the names. These alone compare all of them, and their numbers, with the header, and notice whether 100 is an error.
struct StatusTests {
    private static let all: [Status] = [
        .ok, .alreadyRegistered, .duplicateEvent, .noNewValue, .staleResponse, .windowLocked, .windowClosed,
        .notRegistered, .nothingPending, .notFound, .unsupported, .invalidArgument, .misuse, .limitExceeded,
        .invalidDocument, .malformedResponse, .illegalValue, .rejected, .store, .storeConflict, .storeUnknown,
        .corruptRecord, .recordTooNew, .transport, .transportUnknown, .modelUnknown, .clock,
    ]

    /// The enumeration of skan.h, from its first number to the brace behind its last.
    private static func declared() throws -> [Int32: String] {
        let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
        let header = try String(contentsOfFile: root + "/Include/skan/skan.h", encoding: .utf8)
        let first = try #require(header.range(of: "SKAN_OK = 0"))
        var numbers: [Int32: String] = [:]
        for found in header[first.lowerBound...].prefix(while: { $0 != "}" }).matches(of: /(SKAN_\w+) = (\d+)/) {
            numbers[try #require(Int32(found.2))] = String(found.1)
        }
        return numbers
    }

    @Test func numbersAndNamesAreThoseOfTheHeader() throws {
        let ours = Dictionary(uniqueKeysWithValues: StatusTests.all.map { ($0.rawValue, $0.description) })
        #expect(ours == (try StatusTests.declared()))
    }

    @Test func statusesFrom100OnAreErrors() {
        for status in StatusTests.all { #expect(status.isError == status.description.hasPrefix("SKAN_ERROR_")) }
        #expect(!Status(rawValue: 99).isError)
        #expect(Status(rawValue: 100).isError)
    }
}
