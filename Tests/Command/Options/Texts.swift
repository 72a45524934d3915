import SKANCommandOutput
import SKANCore

func string(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }
func message(_ text: String) -> Message { Message(utf8: [UInt8](text.utf8)) }

extension CommandEnd {
    /// What is printed, without "skan: ".
    var said: Message {
        switch self {
        case .complaint(let what, let why, _), .usage(let what, let why): "\(what): \(why)"
        case .done: ""
        }
    }
}
