import SKANCore
import Synchronization

/// The settings of an engine that its calls need.
package struct EngineSettings: ~Copyable {
    package let protocolVersion: ProtocolVersion
    package let target: RequestTarget
    /// The first model is for new installs.
    package let models: [ConversionModel]
    package let hasTransport: Bool
    package let reengagements: ReengagementSettings
    let tickets = Tickets()
    package let numbers = UpdateNumbers()

    package init(
        _ protocolVersion: ProtocolVersion, _ target: RequestTarget, _ models: [ConversionModel], hasTransport: Bool,
        _ reengagements: ReengagementSettings
    ) {
        self.protocolVersion = protocolVersion
        self.target = target
        self.models = models
        self.hasTransport = hasTransport
        self.reengagements = reengagements
    }

    /// Whether an endpoint decides the values. Then event names have a stricter limit, because requests contain them.
    @inline(__always)
    package var asksEndpoint: Bool { models.isEmpty && target.hasEndpoint }

    /// Throws if the engine's sources of values do not fit together: models and also a transport; a transport, but no
    /// endpoint to ask; or neither an endpoint nor models, except in SKAN 3, where such an engine answers as the test
    /// endpoint.
    package borrowing func checkSources() throws(Failure) {
        if !models.isEmpty, hasTransport {
            throw Failure(.invalidArgument, "models: expected models or a transport, got both")
        }
        let asks = models.isEmpty && reengagements.models.isEmpty && protocolVersion == .skan4
        guard !target.hasEndpoint, hasTransport || asks else { return }
        throw Failure(
            .invalidArgument,
            "endpoint_url: expected the URL of a conversion-value endpoint, or conversion models, got neither")
    }

    /// Whether an event can count for re-engagements, too. `named` is the number of the re-engagement that the event
    /// names; 0 if it names none.
    package borrowing func countsReengagements(_ named: UInt32) -> Bool {
        named == 0 ? !reengagements.models.isEmpty : named != installAlone
    }

    /// Rules, "Model versions", "Re-engagement models": checks one model of an engine's list for installs or of its
    /// list for re-engagements. `number` is its position in the list.
    package static func check(
        _ model: ConversionModel, number: Int, _ protocolVersion: ProtocolVersion, forReengagements: Bool = false
    ) throws(Failure) {
        let name: StaticString = forReengagements ? "reengagement_models" : "models"
        guard model.isForReengagements == forReengagements else {
            let expected: StaticString = forReengagements ? "re-engagements" : "installs"
            let found: StaticString = forReengagements ? "installs" : "re-engagements"
            throw Failure(
                .invalidArgument, "\(name): expected models for \(expected), number \(number) is for \(found)")
        }
        guard model.protocolVersion != protocolVersion else { return }
        let (found, ours) = (model.protocolVersion.rawValue, protocolVersion.rawValue)
        throw Failure(
            .invalidArgument, "\(name): number \(number) is of SKAN \(found), the engine speaks SKAN \(ours)")
    }
}

/// One call on one install, with checked arguments. A driver works in these steps:
/// 1. It calls `check`.
/// 2. It reads the clock, if `asksClock` is true.
/// 3. It calls `rule`.
/// 4. It runs the rule on the install's record, in any store.
/// 5. It calls `request`. If that returns a URL, it gets the body, passes it to `received` and goes back to step 2.
/// 6. It calls `answer`.
package protocol InstallCall {
    associatedtype Change: Rule = Reading
    associatedtype Answer = Status

    /// Whether the call's rule depends on the time (Rules, "Clock").
    func asksClock(_ engine: borrowing EngineSettings) -> Bool

    /// Throws if this engine cannot make the call, or if the arguments are wrong.
    mutating func check(_ engine: borrowing EngineSettings) throws(Failure)

    /// The rule to run on the install. `now` is in microseconds since 1970.
    mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) throws(Failure) -> Change

    /// The URL that the driver must get before the call can continue; nil if there is none.
    mutating func request(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Change, _ state: borrowing InstallState
    ) throws(Failure) -> ByteBuffer?

    mutating func received(_ body: UnsafeRawBufferPointer, _ engine: borrowing EngineSettings) throws(Failure)

    /// The call's answer, made from the status that the rule returned and the state that it left.
    func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Change, _ state: borrowing InstallState
    ) throws(Failure) -> Answer
}

extension InstallCall {
    @inline(__always)
    package func asksClock(_ engine: borrowing EngineSettings) -> Bool { true }

    @inline(__always)
    package func check(_ engine: borrowing EngineSettings) {}

    @inline(__always)
    package func request(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Change, _ state: borrowing InstallState
    ) -> ByteBuffer? { nil }

    @inline(__always)
    package func received(_ body: UnsafeRawBufferPointer, _ engine: borrowing EngineSettings) {}
}

extension InstallCall where Change == Reading {
    @inline(__always)
    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> Reading { Reading() }
}

extension InstallCall where Answer == Status {
    @inline(__always)
    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Change, _ state: borrowing InstallState
    ) -> Status { status }
}

/// A NUL-terminated text and its length without the NUL. The receiver frees it.
package typealias OwnedText = (start: UnsafeMutablePointer<CChar>, count: Int)

/// The status of a call that can give an update, and the update, which is nil unless the status is OK.
package struct UpdateAnswer {
    package let status: Status
    package let update: ValueUpdate?

    @inline(__always)
    init(_ status: Status, _ update: ValueUpdate?) {
        self.status = status
        self.update = status == .ok ? update : nil
    }
}

/// Rules, "Tickets": gives the numbers that order requests. Each ticket is greater than every earlier one of the engine
/// and than the install's newest applied one, and is not below the clock's time in microseconds.
package struct Tickets: ~Copyable {
    private let last = Atomic<UInt64>(0)

    package init() {}

    package borrowing func next(after newest: UInt64, now: Int64) throws(Failure) -> UInt64 {
        var previous = last.load(ordering: .relaxed)
        while true {
            let ticket = max(UInt64(max(now, 0)), previous &+ 1, newest &+ 1)
            guard ticket <= UInt64(Int64.max), newest < UInt64(Int64.max) else {
                throw Failure(.clock, "clock: no ticket is left, the last one was 2^63 - 1 microseconds")
            }
            let (isExchanged, found) = last.weakCompareExchange(
                expected: previous, desired: ticket, ordering: .relaxed)
            if isExchanged { return ticket }
            previous = found
        }
    }
}

/// The re-engagement number that means "none": an event that names it counts for the install alone.
package var installAlone: UInt32 { .max }
