import SKANCore

/// Rules, "Register": registers an install.
package struct RegisterCall: InstallCall {
    private let launch: FirstLaunch

    @inline(__always)
    package init(_ launch: FirstLaunch = .now) { self.launch = launch }

    @inline(__always)
    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) throws(Failure) -> Registration {
        Registration(
            now: seconds(now), launch, model: engine.models.first, numbersFrom: engine.numbers.start(at: now),
            after: launch.beginsAgain ? try engine.tickets.next(after: 0, now: now) : 0)
    }

    @inline(__always)
    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Registration, _ state: borrowing InstallState
    ) -> UpdateAnswer { UpdateAnswer(status, rule.update) }
}

/// Rules, "Update revenue": adds an amount to an install's revenue.
package struct RevenueCall: InstallCall {
    private let amount: Money
    private let currency: Currency
    private let kind: RevenueKind
    private let eventID: UnsafeRawBufferPointer?
    private let reengagement: UInt32

    /// `reengagement`: the number of the re-engagement that the call names for credit; 0 if it names none.
    @inline(__always)
    package init(
        _ amount: Money, currency: UnsafeRawBufferPointer, kind: Int32, eventID: UnsafeRawBufferPointer?,
        reengagement: UInt32 = 0, _ protocolVersion: ProtocolVersion
    ) throws(Failure) {
        self.amount = amount
        self.currency = try Arguments.currency(currency)
        self.kind = try Arguments.kind(kind, protocolVersion)
        self.eventID = eventID
        self.reengagement = reengagement
        try Arguments.checkEventID(eventID)
    }

    @inline(__always)
    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> RevenueUpdate {
        rule(now: seconds(now), engine.reengagements)
    }

    @inline(__always)
    package func rule(now: Int64, _ settings: ReengagementSettings) -> RevenueUpdate {
        RevenueUpdate(
            amount: amount, currency: currency, kind: kind, eventID: eventID, now: now, reengagement: reengagement,
            settings)
    }
}

/// The call that imports an install's details: Rules, "Import".
package struct ImportCall: InstallCall {
    private let json: UnsafeRawBufferPointer

    /// `json`: a details document.
    package init(_ json: UnsafeRawBufferPointer) { self.json = json }

    package func asksClock(_ engine: borrowing EngineSettings) -> Bool { false }

    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) throws(Failure) -> Importing {
        Importing(try InstallState(importing: json, engine.protocolVersion), model: engine.models.first)
    }
}
