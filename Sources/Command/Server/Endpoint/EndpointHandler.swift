import SKANCommandOutbox
import SKANCore
import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions": the conversion-value endpoint over HTTP.
struct EndpointHandler {
    let served: ServedConfiguration
    let protocolVersion: ProtocolVersion
    let log: ServerLog

    func answer(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        let configuration = served.current
        // Rules, "Endpoint users": the app's id is at most as long as the keys of its users' records.
        let item = request.item("i", atMost: Limits.installIDBytes)
        let app = item.flatMap { $0.isEmpty || !isPlain($0) ? nil : $0 }
        let key = request.item("a", atMost: NetworkToken.lengths.upperBound + 1) ?? []
        let keys = configuration.keys
        // If no keys are set, any key is admitted.
        if !keys.isEmpty, !key.withUnsafeBytes({ keys.admits(app, $0) }) {
            return HTTPServerAnswer(200, reason: "Conversion Management: Invalid parameter a given", "wrong_key")
        }
        guard let engine = configuration.apps.engine(app, protocolVersion) else {
            return noModel("rejected", app ?? [])
        }
        do throws(Failure) {
            let (status, json) = try engine.answer(request.target)
            return HTTPServerAnswer(200, json: json, outcome: outcomeName(status))
        } catch {
            return answer(to: error, app)
        }
    }

    private func answer(to failure: Failure, _ app: [UInt8]?) -> HTTPServerAnswer {
        switch failure.status {
        case .modelUnknown:
            log.trouble("model_unknown", failure.message, .warning)
            return noModel("model_unknown", app ?? [])
        case .invalidArgument:
            return HTTPServerAnswer(414, reason: failure.message, "too_long")
        case .corruptRecord, .recordTooNew:
            log.trouble("record", failure.message)
            return HTTPServerAnswer(500, reason: "what is stored for this user cannot be read", "record")
        default:
            log.trouble("store", failure.message)
            return HTTPServerAnswer(503, reason: "the server's store cannot be used now", "store")
        }
    }

    private func noModel(_ outcome: StaticString, _ app: [UInt8]) -> HTTPServerAnswer {
        let reason: Message = "Conversion Management: Conversion Model not found for app: \(Message(utf8: app))"
        return HTTPServerAnswer(200, reason: reason, outcome)
    }
}

private func isPlain(_ text: [UInt8]) -> Bool { text.withUnsafeBytes { isPlainText($0) } }

private func outcomeName(_ status: Status) -> StaticString {
    switch status {
    case .ok: "value"
    case .noNewValue: "no_new_value"
    case .windowLocked: "window_locked"
    case .rejected: "rejected"
    default: "other"
    }
}

extension HTTPServerAnswer {
    fileprivate init(_ status: UInt32, json: [UInt8], outcome: StaticString) {
        self.init(status, "application/json", json, outcome: outcome)
    }

    /// Makes an answer with an error in the format of the published endpoint.
    fileprivate init(_ status: UInt32, reason: Message, _ outcome: StaticString) {
        var answer = JSONWriter(capacity: 160)
        answer.answerRejection(reason)
        self.init(status, json: answer.finish().array, outcome: outcome)
    }
}
