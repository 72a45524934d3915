import SKANCore
import Testing

/// Rules, "Arguments": the last text of each kind that is taken, and the first that is not.
struct ArgumentsTests {
    /// The status with which a text is refused; nil where it is taken.
    private func refusal(
        of bytes: [UInt8], by check: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) -> Status? {
        bytes.withUnsafeBytes { bytes in
            do throws(Failure) {
                try check(bytes)
                return nil
            } catch {
                return error.status
            }
        }
    }

    private func refusal(ofEvent bytes: [UInt8]) -> Status? {
        refusal(of: bytes) { bytes throws(Failure) in _ = try Arguments.eventName(bytes) }
    }

    @Test func anEventNameIsPrintableASCII() {
        for byte in UInt8.min...UInt8.max {
            let isPrintable = (0x20...0x7E).contains(byte)
            #expect(refusal(ofEvent: [0x61, byte]) == (isPrintable ? nil : .invalidArgument), "\(byte)")
        }
    }

    @Test func anEventNameHas1To32Bytes() {
        for count in [1, 32] { #expect(refusal(ofEvent: [UInt8](repeating: 0x61, count: count)) == nil, "\(count)") }
        for count in [0, 33] {
            #expect(refusal(ofEvent: [UInt8](repeating: 0x61, count: count)) == .invalidArgument, "\(count)")
        }
    }

    @Test func installsAndEventsHaveIDsOf1To128Bytes() {
        for (count, status) in [(0, Status.invalidArgument), (1, nil), (128, nil), (129, .invalidArgument)] {
            let id = [UInt8](repeating: 0x61, count: count)
            #expect(refusal(of: id, by: Arguments.checkInstallID) == status, "\(count)")
            #expect(refusal(of: id) { id throws(Failure) in try Arguments.checkEventID(id) } == status, "\(count)")
        }
        for (text, status) in [("ä é 🎮", nil), ("a\0b", Status.invalidArgument), ("\u{7F}", .invalidArgument)] {
            #expect(refusal(of: [UInt8](text), by: Arguments.checkInstallID) == status, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("999999999999.999999999999", nil), ("-999999999999.999999999999", nil), ("1e12", .invalidArgument),
            ("-1e12", .invalidArgument),
            // Rounded before it is compared.
            ("999999999999.9999999999994", nil), ("999999999999.9999999999996", .invalidArgument),
        ] as [(String, Status?)])
    func anAmountIsBelow1e12(text: String, status: Status?) {
        let found = refusal(of: [UInt8](text)) { text throws(Failure) in _ = try Arguments.amount(text: text) }
        #expect(found == status)
    }

    @Test func aTicketIsBelow2To63() {
        for (ticket, isTaken) in [(UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (0, true)] {
            let taken = outcome { () throws(Failure) in try Arguments.checkTicket(ticket) }
            #expect(taken.failedStatus == (isTaken ? nil : "SKAN_ERROR_INVALID_ARGUMENT"), "\(ticket)")
        }
    }
}
