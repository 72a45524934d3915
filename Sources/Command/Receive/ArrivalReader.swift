internal import SKANCommandModels
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification
internal import SKANSystem

/// Reads and verifies the texts of files. Any thread.
struct ArrivalReader: Sendable {
    let receiver: PostbackReceiver<ConversionModel>
    /// nil where every postback arrives now.
    let field: ArrivalField?
    /// The current time, in microseconds since 1970.
    let now: Int64

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

/// A postback of a file on its way into the store.
final class ArrivedPostback {
    let reception: Reception
    /// Why the postback could not be stored; nil where nothing failed.
    var failure: Failure?

    init(_ reception: Reception) { self.reception = reception }

    var result: PostbackResult { reception.postback.result }
}

/// What a text of a file turned out to be.
enum ReadPostback {
    case arrived(ArrivedPostback)
    /// Something that is not a postback, or a postback without a time of arrival, with what was expected and found.
    case wrong(Message)
    /// It could not be read.
    case failed(Message)
}
