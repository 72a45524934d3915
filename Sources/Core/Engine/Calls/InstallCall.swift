import SKANCore
import Synchronization

/// What an engine was made with, of which its calls ask.
package struct EngineSettings: ~Copyable {
    package let protocolVersion: ProtocolVersion
    /// The endpoint that answers requests for values.
    package let target: RequestTarget
    /// The first one is for new installs.
    package let models: [ConversionModel]
    package let hasTransport: Bool
    package let reengagements: ReengagementSettings
    let tickets = Tickets()

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

    /// Values come from models or from an endpoint, not from both.
    package static func checkSources(hasModels: Bool, hasTransport: Bool) throws(Failure) {
        guard hasModels, hasTransport else { return }
        throw Failure(.invalidArgument, "models: expected models or a transport, got both")
    }

    /// Rules, "Model versions", "Re-engagement models": a model of one of an engine's two lists.
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

/// One call of the interface on one install, made of checked arguments. A driver does in this order:
/// 1. `check`. 2. It reads the clock, where the call asks for it. 3. `rule`. 4. It runs that on the install, on
/// whatever store. 5. `request`: where that gives a URL, it gets the body, hands it to `received` and goes on with 2.
/// 6. `answer`.
package protocol InstallCall {
    associatedtype Change: Rule = Reading
    associatedtype Answer = Status

    /// Whether its rule depends on the time (Rules, "Clock").
    func asksClock(_ engine: borrowing EngineSettings) -> Bool

    /// What is wrong with the call on this engine, or with what was handed over.
    mutating func check(_ engine: borrowing EngineSettings) throws(Failure)

    /// What is to be done with the install. Microseconds since 1970.
    mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) throws(Failure) -> Change

    /// The URL to get before it can go on.
    mutating func request(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Change, _ state: borrowing InstallState
    ) throws(Failure) -> ByteBuffer?

    mutating func received(_ body: UnsafeRawBufferPointer, _ engine: borrowing EngineSettings) throws(Failure)

    /// What the rule came to, and the state as it left it.
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

/// A text that whoever gets it frees, and its length; a NUL follows it.
package typealias OwnedText = (start: UnsafeMutablePointer<CChar>, count: Int)

/// How a call ended that may give an update, and the update, which is there only with OK.
package struct UpdateAnswer {
    package let status: Status
    package let update: ValueUpdate?

    @inline(__always)
    init(_ status: Status, _ update: ValueUpdate?) {
        self.status = status
        self.update = status == .ok ? update : nil
    }
}

/// Rules, "Tickets": they order requests. Each is greater than every earlier one of the engine and than the install's
/// newest applied one, and not below the clock's microseconds.
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
