import SKANCore
import Testing

/// Rules, "Arguments". Tests/Hosts/C/contract_arguments.c judges the length and the kind of each text. These tests
/// alone judge every byte of an event's name, and the greatest ticket that is taken.
struct ArgumentsTests {
    private func isTaken(_ bytes: [UInt8], by check: (UnsafeRawBufferPointer) throws(Failure) -> Void) -> Bool {
        let refused = bytes.withUnsafeBytes { bytes in outcome { () throws(Failure) in try check(bytes) }.failedStatus }
        #expect(refused == nil || refused == "SKAN_ERROR_INVALID_ARGUMENT")
        return refused == nil
    }

    private func isEvent(_ bytes: [UInt8], isForRequest: Bool = false) -> Bool {
        isTaken(bytes) { bytes throws(Failure) in _ = try Arguments.eventName(bytes, isForRequest: isForRequest) }
    }

    @Test func anEventNameInARequestIsPrintableASCII() {
        for byte in UInt8.min...UInt8.max {
            #expect(isEvent([0x61, byte], isForRequest: true) == (0x20...0x7E).contains(byte), "\(byte)")
        }
        #expect(isEvent([UInt8](repeating: 0x61, count: 32), isForRequest: true))
        #expect(!isEvent([UInt8](repeating: 0x61, count: 33), isForRequest: true))
    }

    @Test func anEventNameIsUTF8WithoutControlBytes() {
        for byte in UInt8.min...UInt8.max { #expect(isEvent([0x61, byte]) == (0x20...0x7E).contains(byte), "\(byte)") }
        // "größe", "買う", an emoji of four bytes; half of one.
        for name in ["größe", "買う", "\u{1F389}"] { #expect(isEvent(Array(name.utf8))) }
        #expect(!isEvent([0xF0, 0x9F, 0x8E]))
        #expect(isEvent(Array(String(repeating: "é", count: 32).utf8)))
        #expect(!isEvent(Array(String(repeating: "é", count: 32).utf8) + [0x61]))
        #expect(!isEvent([]))
    }

    @Test func aTicketIsBelow2To63() {
        for (ticket, isTaken) in [(UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (0, true)] {
            let taken = outcome { () throws(Failure) in try Arguments.checkTicket(ticket) }
            #expect(taken.failedStatus == (isTaken ? nil : "SKAN_ERROR_INVALID_ARGUMENT"), "\(ticket)")
        }
    }
}
