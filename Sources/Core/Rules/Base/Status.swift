/// Rules, "Statuses": the result of a call. The numbers are those of `skan_status` in skan.h and are never reused.
package struct Status: RawRepresentable, Equatable, Sendable {
    package let rawValue: Int32

    @inline(__always)
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static var ok: Status { Status(rawValue: 0) }

    package static var alreadyRegistered: Status { Status(rawValue: 1) }
    package static var duplicateEvent: Status { Status(rawValue: 2) }
    package static var noNewValue: Status { Status(rawValue: 3) }
    package static var staleResponse: Status { Status(rawValue: 4) }
    package static var windowLocked: Status { Status(rawValue: 5) }
    package static var windowClosed: Status { Status(rawValue: 6) }
    package static var notRegistered: Status { Status(rawValue: 7) }
    package static var nothingPending: Status { Status(rawValue: 8) }
    package static var notFound: Status { Status(rawValue: 9) }
    package static var unsupported: Status { Status(rawValue: 10) }

    package static var invalidArgument: Status { Status(rawValue: 100) }
    package static var misuse: Status { Status(rawValue: 101) }
    package static var limitExceeded: Status { Status(rawValue: 102) }
    package static var invalidDocument: Status { Status(rawValue: 103) }
    package static var malformedResponse: Status { Status(rawValue: 110) }
    package static var illegalValue: Status { Status(rawValue: 111) }
    package static var rejected: Status { Status(rawValue: 112) }
    package static var store: Status { Status(rawValue: 120) }
    package static var storeConflict: Status { Status(rawValue: 121) }
    package static var storeUnknown: Status { Status(rawValue: 122) }
    package static var corruptRecord: Status { Status(rawValue: 123) }
    package static var recordTooNew: Status { Status(rawValue: 124) }
    package static var transport: Status { Status(rawValue: 130) }
    package static var transportUnknown: Status { Status(rawValue: 131) }
    package static var modelUnknown: Status { Status(rawValue: 140) }
    package static var clock: Status { Status(rawValue: 150) }

    /// Whether the status is an error, which comes with a message. Errors are the statuses of 100 and more.
    package var isError: Bool { rawValue >= 100 }

    /// The name of the status in skan.h, such as "SKAN_OK".
    package var name: StaticString {
        switch rawValue {
        case 0: "SKAN_OK"
        case 1: "SKAN_ALREADY_REGISTERED"
        case 2: "SKAN_DUPLICATE_EVENT"
        case 3: "SKAN_NO_NEW_VALUE"
        case 4: "SKAN_STALE_RESPONSE"
        case 5: "SKAN_WINDOW_LOCKED"
        case 6: "SKAN_WINDOW_CLOSED"
        case 7: "SKAN_NOT_REGISTERED"
        case 8: "SKAN_NOTHING_PENDING"
        case 9: "SKAN_NOT_FOUND"
        case 10: "SKAN_UNSUPPORTED"
        case 100: "SKAN_ERROR_INVALID_ARGUMENT"
        case 101: "SKAN_ERROR_MISUSE"
        case 102: "SKAN_ERROR_LIMIT_EXCEEDED"
        case 103: "SKAN_ERROR_INVALID_DOCUMENT"
        case 110: "SKAN_ERROR_MALFORMED_RESPONSE"
        case 111: "SKAN_ERROR_ILLEGAL_VALUE"
        case 112: "SKAN_ERROR_REJECTED"
        case 120: "SKAN_ERROR_STORE"
        case 121: "SKAN_ERROR_STORE_CONFLICT"
        case 122: "SKAN_ERROR_STORE_UNKNOWN"
        case 123: "SKAN_ERROR_CORRUPT_RECORD"
        case 124: "SKAN_ERROR_RECORD_TOO_NEW"
        case 130: "SKAN_ERROR_TRANSPORT"
        case 131: "SKAN_ERROR_TRANSPORT_UNKNOWN"
        case 140: "SKAN_ERROR_MODEL_UNKNOWN"
        case 150: "SKAN_ERROR_CLOCK"
        default: "SKAN_UNKNOWN_STATUS"
        }
    }
}

/// The reason why a call failed: an error status and a message that says what was wrong and where, what was expected
/// and what was found. If a server gave a reason, it is the message, unchanged.
package struct Failure: Error, Sendable {
    package let status: Status
    package let message: Message

    package init(_ status: Status, _ message: Message) {
        self.status = status
        self.message = message
    }
}
