import SKANCore
import Testing

/// Rules, "Arguments": the last text of each kind that is taken, and the first that is not.
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

    @Test func namesAndIDsHaveTheirLengths() {
        for count in [0, 1, 32, 33, 128, 129] {
            let text = [UInt8](repeating: 0x61, count: count)
            #expect(isEvent(text) == (1...32).contains(count), "\(count)")
            let isID = (1...128).contains(count)
            #expect(isTaken(text, by: Arguments.checkInstallID) == isID, "\(count)")
            #expect(isTaken(text) { id throws(Failure) in try Arguments.checkEventID(id) } == isID, "\(count)")
        }
        for (text, isID) in [("ä é 🎮", true), ("a\0b", false), ("\u{7F}", false)] {
            #expect(isTaken([UInt8](text), by: Arguments.checkInstallID) == isID, "\(text)")
        }
    }

    @Test(arguments: [
        ("999999999999.999999999999", true), ("-999999999999.999999999999", true), ("1e12", false), ("-1e12", false),
        // Rounded before it is compared.
        ("999999999999.9999999999994", true), ("999999999999.9999999999996", false),
    ])
    func anAmountIsBelow1e12(text: String, isAmount: Bool) {
        #expect(isTaken([UInt8](text)) { text throws(Failure) in _ = try Arguments.amount(text: text) } == isAmount)
    }

    @Test func aTicketIsBelow2To63() {
        for (ticket, isTaken) in [(UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (0, true)] {
            let taken = outcome { () throws(Failure) in try Arguments.checkTicket(ticket) }
            #expect(taken.failedStatus == (isTaken ? nil : "SKAN_ERROR_INVALID_ARGUMENT"), "\(ticket)")
        }
    }
}
