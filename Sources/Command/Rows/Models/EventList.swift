package import SKANCore

extension DecodedValue {
    /// The names of the events that, according to the value, happened at least once, separated by commas. A comma in a
    /// name is written as %2C, a percent sign as %25.
    package var eventList: [UInt8] {
        var events: [UInt8] = []
        var isFirst = true
        for condition in envelope.conditions where condition.min >= 1 {
            guard let event = model.event(of: condition) else { continue }
            if !isFirst { events.append(UInt8(ascii: ",")) }
            isFirst = false
            events += listed(event)
        }
        return events
    }
}

private func listed(_ event: EventName) -> [UInt8] {
    var name: [UInt8] = []
    for byte in Message(writing: event.write).utf8 {
        switch byte {
        case UInt8(ascii: ","): name += [UInt8]("%2C".utf8)
        case UInt8(ascii: "%"): name += [UInt8]("%25".utf8)
        default: name.append(byte)
        }
    }
    return name
}
