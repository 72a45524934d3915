import SKANCore

/// Rules, "Details", "Metadata": reads an install's state.
package struct StateCall: InstallCall {
    package init() {}

    package func asksClock(_ engine: borrowing EngineSettings) -> Bool { false }

    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Reading, _ state: borrowing InstallState
    ) -> InstallState { copy state }
}

/// Rules, "Model explanation": explains what an install's model sees.
package struct ExplainCall: InstallCall {
    private var now: Int64 = 0

    package init() {}

    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        if engine.models.isEmpty { throw Failure(.misuse, "models: the engine was made without conversion models") }
    }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> Reading {
        self.now = seconds(now)
        return Reading()
    }

    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: Reading, _ state: borrowing InstallState
    ) throws(Failure) -> (status: Status, json: OwnedText?) {
        let (window, otherwise) = state.conversion.openWindow(at: now)
        guard let window else { return (otherwise, nil) }
        let model = try engine.models.model(of: state.conversion)
        return (.ok, model.explain(state.conversion, state.revenue, in: window, at: now).text())
    }
}
