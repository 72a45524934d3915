import SKANCommandServer
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Reads and verifies the texts of files. Thread-safe.
struct ArrivalReader: Sendable {
    let configuration: ServerConfiguration
    /// nil if every postback arrives now.
    let field: ArrivalField?
    /// The current time, in microseconds since 1970.
    let now: Int64

    var receiver: PostbackReceiver<ConversionModel> { configuration.receiver }

    func read(_ text: Bytes) -> ReadPostback {
        let postback: VerifiedPostback
        let writeID: PostbackWriteID
        do throws(Failure) {
            postback = try receiver.verified(text)
            writeID = try .draw()
        } catch {
            return .failed(error.message)
        }
        if postback.result == .malformed { return .wrong("expected a postback: \(problem(of: postback))") }
        do throws(Failure) {
            let moment = try field?.moment(in: text) ?? now
            return .arrived(ArrivedPostback(receiver.arrived(postback, from: [], at: moment, writeID)))
        } catch {
            return .wrong(error.message)
        }
    }
}

private func problem(of postback: VerifiedPostback) -> Message {
    let why = postback.problem.map { Message(utf8: [UInt8]($0)) } ?? "it has no signature"
    guard let field = postback.problemField else { return "\(why), in \(quoted: postback.body)" }
    return "\(field) \(why), in \(quoted: postback.body)"
}

/// A postback from a file that is to be stored.
final class ArrivedPostback {
    let reception: Reception
    /// The reason why the postback could not be stored; nil if nothing failed.
    var failure: Failure?

    init(_ reception: Reception) { self.reception = reception }

    var result: PostbackResult { reception.postback.result }
}

/// The result of reading a text of a file.
enum ReadPostback {
    case arrived(ArrivedPostback)
    /// The text is not a postback, or has no arrival time: what was expected, and what was found.
    case wrong(Message)
    /// The text could not be read.
    case failed(Message)
}
