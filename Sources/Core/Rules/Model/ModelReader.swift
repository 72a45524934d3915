/// Reads the measures, windows and rules of a conversion model's document, and stores what was read so far.
final class ModelReader {
    let protocolVersion: ProtocolVersion
    let isForReengagements: Bool
    let raiseOnly: Bool
    /// The distinct events that measures, rules and digits name.
    private var names: [EventName] = []
    /// The events that conditions count one by one, in the order in which rules first name them.
    var events: [EventName] = []
    var measures = ModelMeasures([])
    /// The condition keys that documents about the model, such as explanations, contain.
    var shown = ConditionKeys.alwaysShown

    init(_ protocolVersion: ProtocolVersion, isForReengagements: Bool, raiseOnly: Bool) {
        self.protocolVersion = protocolVersion
        self.isForReengagements = isForReengagements
        self.raiseOnly = raiseOnly
    }

    func event(_ node: DocumentNode) throws(Failure) -> EventName {
        guard let text = node.content, let event = text.withUnsafeBytes({ EventName($0) }) else {
            let most = Limits.eventNameBytes
            throw node.expected("an event name of 1 to \(most) bytes of UTF-8 without control characters")
        }
        return event
    }

    /// Throws if the model already names 64 other events.
    func add(_ event: EventName, _ node: DocumentNode) throws(Failure) {
        if event.isSession || names.contains(event) { return }
        guard names.count < Limits.modelEvents else {
            throw node.refuse("expected at most \(Limits.modelEvents) event names, this is one more")
        }
        names.append(event)
    }

    /// The place of an event's count in the list of counts. A new event gets the next place.
    func place(of node: DocumentNode) throws(Failure) -> Int {
        let event = try event(node)
        if event.isSession { return 0 }
        for index in events.indices where events[index] == event { return index &+ 1 }
        try add(event, node)
        events.append(event)
        return events.count
    }

    /// The index of the measure that the node names.
    func measure(_ node: DocumentNode) throws(Failure) -> Int {
        guard let name = node.content, let number = measures.number(of: name) else {
            throw node.expected("the name of a measure")
        }
        return number
    }
}

/// The greatest number that documents can have for counts and times.
var countLimit: Int64 { Int64(UInt32.max) }
