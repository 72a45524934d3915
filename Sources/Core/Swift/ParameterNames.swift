package import SKANCore

/// The message of a failure of the core, with this module's names of arguments and options. The core uses the names of
/// skan.h: its `install_id` is `installID` here. Other names, such as a document's key, stay as they are.
package func messageWithSwiftsName(_ failure: Failure) -> String {
    let message = String(decoding: failure.message.utf8, as: UTF8.self)
    if failure.status == .rejected { return rejection(failure.message) ?? message }
    guard failure.status == .invalidArgument || failure.status == .clock else { return message }
    let name = message.prefix { $0 != ":" }
    guard name.endIndex != message.endIndex, name.utf8.allSatisfy(isOfName) else { return message }
    return swiftsName(name) + message[name.endIndex...]
}

/// The message for a rejected parameter, with the name of the option in this module; nil for any other reason.
private func rejection(_ message: Message) -> String? {
    let rejected = RejectedParameter.allCases.first { message.utf8 == $0.message("\($0.option)").utf8 }
    return rejected.map { rejected in
        let name = swiftsName(Substring("\(rejected.option)"))
        return String(decoding: rejected.message(Message(utf8: Array(name.utf8))).utf8, as: UTF8.self)
    }
}

private func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: false
    }
}

private func swiftsName(_ name: Substring) -> String {
    switch name {
    case "event_name": return "event"
    case "clock.now": return "clock"
    case "reengagement_cooldown_hours": return "cooldownHours"
    default:
        let words = name.split(separator: "_")
        let later = words.dropFirst().map { word in
            switch word {
            case "id", "url": word.uppercased()
            default: word.prefix(1).uppercased() + word.dropFirst()
            }
        }
        return (words.first.map(String.init) ?? "") + later.joined()
    }
}
