internal import SKANCore

/// The reason why a call failed: a code, and a message that names the argument, field or hook, what was expected and
/// what was found.
///
/// A call that fails has changed nothing, with two exceptions: with ``Code/storeUnknown`` it is unknown whether the
/// change was applied, and the amount of an event stays added if the request to the endpoint failed.
///
///     do {
///         try await engine.updateConversionValues("player-1")
///     } catch SKANError.Code.rejected {
///         // the endpoint refused; `error.message` is its reason
///     }
///
/// SDK keys are never in a message.
public struct SKANError: Error, Sendable {
    public let code: Code

    /// A description of the error. For ``Code/rejected`` it is the endpoint's reason, unchanged (cut at a NUL; unpaired
    /// surrogates become U+FFFD); if the answer gave none, libskan says so. If the reason names an invalid parameter
    /// that a property of ``Configuration`` or ``Device`` sets, the message also names that property: "Conversion
    /// Management: Invalid parameter app_v given: the option appVersion sets it". For invalid JSON the message gives
    /// the byte, counted from 0, and the line and column, counted from 1 (columns are code points).
    public let message: String

    /// The error that a hook threw, if that made the call fail. The message contains the text of libskan's own errors.
    /// Of other errors it contains only the type, since their text may hold secrets.
    public let underlying: (any Error)?

    /// Creates an error for a hook to throw. For example, a transport may throw ``Code/limitExceeded``.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension SKANError {
    /// The kind of error. The numbers are those of `skan_status` in skan.h; they are never reused, and newer versions
    /// may add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        // The caller's errors.

        /// 100: an argument does not have the form that its method requires.
        public static let invalidArgument = Code(rawValue: 100)
        /// 101: this engine cannot make this call, or cannot make it now.
        public static let misuse = Code(rawValue: 101)
        /// 102: a limit of libskan was exceeded: too many currencies, too large a total, or too large a size.
        public static let limitExceeded = Code(rawValue: 102)
        /// 103: an imported document, or a conversion model, breaks its rules.
        public static let invalidDocument = Code(rawValue: 103)

        // The endpoint's answer.

        /// 110: the answer is not one JSON object.
        public static let malformedResponse = Code(rawValue: 110)
        /// 111: a member of the answer has the wrong type or is out of range.
        public static let illegalValue = Code(rawValue: 111)
        /// 112: the endpoint gave no value; the message is its reason, unchanged, or says that there is none.
        public static let rejected = Code(rawValue: 112)

        // The store.

        /// 120: the store failed; nothing was applied.
        public static let store = Code(rawValue: 120)
        /// 121: others changed the record before each attempt in 10 seconds; nothing was applied.
        public static let storeConflict = Code(rawValue: 121)
        /// 122: it is unknown whether the change was applied.
        public static let storeUnknown = Code(rawValue: 122)
        /// 123: the record is damaged; it is left as it is (``Engine/forget(_:)`` removes it).
        public static let corruptRecord = Code(rawValue: 123)
        /// 124: the record was written by a newer libskan.
        public static let recordTooNew = Code(rawValue: 124)

        /// 130: the transport got no answer with HTTP status 200. Thrown by `HTTPTransport`, it says that the endpoint
        /// has counted nothing: the request was not sent, or was refused.
        public static let transport = Code(rawValue: 130)
        /// 131: the request was sent, but the transport got neither an answer with HTTP status 200 nor a refusal: the
        /// endpoint may have counted the event. Repeat the call with the same event id.
        public static let transportUnknown = Code(rawValue: 131)

        /// 140: the install was registered with a conversion model that this engine does not have, or without a model
        /// while this engine has models.
        public static let modelUnknown = Code(rawValue: 140)

        /// 150: the clock failed.
        public static let clock = Code(rawValue: 150)
    }
}

/// Lets a `catch` name a code: `catch SKANError.Code.storeUnknown`.
public func ~= (code: SKANError.Code, error: any Error) -> Bool {
    (error as? SKANError)?.code == code
}

extension SKANError.Code: CustomStringConvertible {
    /// The name in skan.h, "SKAN_ERROR_REJECTED".
    public var description: String { Status(rawValue: rawValue).name.description }
}

extension SKANError: CustomStringConvertible {
    public var description: String { "\(code) (\(code.rawValue)): \(message)" }
}

extension SKANError {
    init(_ failure: Failure, underlying: (any Error)? = nil) {
        self.init(
            Code(rawValue: failure.status.rawValue), messageWithSwiftsName(failure), underlying: underlying)
    }
}

/// Runs a part of the core and converts its failures to this module's errors.
@inline(__always)
func translated<Result>(_ body: () throws(Failure) -> Result) throws -> Result {
    do throws(Failure) {
        return try body()
    } catch {
        throw SKANError(error)
    }
}
