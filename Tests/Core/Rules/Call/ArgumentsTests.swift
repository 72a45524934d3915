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

    private func isEvent(_ bytes: [UInt8]) -> Bool {
        isTaken(bytes) { bytes throws(Failure) in _ = try Arguments.eventName(bytes) }
    }

    @Test func anEventNameIsPrintableASCII() {
        for byte in UInt8.min...UInt8.max { #expect(isEvent([0x61, byte]) == (0x20...0x7E).contains(byte), "\(byte)") }
    }

    @Test func aTicketIsBelow2To63() {
        for (ticket, isTaken) in [(UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (0, true)] {
            let taken = outcome { () throws(Failure) in try Arguments.checkTicket(ticket) }
            #expect(taken.failedStatus == (isTaken ? nil : "SKAN_ERROR_INVALID_ARGUMENT"), "\(ticket)")
        }
    }
}
