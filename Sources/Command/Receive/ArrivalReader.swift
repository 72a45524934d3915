import SKANCommandRows
import SKANCommandServer
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Reads and verifies the texts of files. Thread-safe.
struct ArrivalReader: Sendable {
    let configuration: ServerConfiguration
    /// Reads the time of arrival from a member of the postback; nil if every postback arrives now, or its row says
    /// when.
    let field: ArrivalField?
    /// nil if the texts are postbacks.
    let rows: RowReader?
    /// The current time, in microseconds since 1970.
    let now: Int64

    var receiver: PostbackReceiver<ConversionModel> { configuration.receiver }

    func read(_ text: Bytes) -> ReadPostback {
        guard let rows else {
            return read(from: []) { () throws(Failure) in
                try receiver.verified(text)
            } arrival: { () throws(Failure) in
                try field?.moment(in: text) ?? now
            }
        }
        do throws(Failure) {
            let row = try rows.read(text)
            return read(from: row.network) { () throws(Failure) in
                try verified(row)
            } arrival: { () throws(Failure) in
                row.received
            }
        } catch {
            return .wrong(error.message)
        }
    }

    /// Verifies the postback of a row. If its signature does not match, also tries the document with the
    /// source-identifier as a number, from which verification can restore lost zeros.
    private func verified(_ row: ReceivedRow) throws(Failure) -> VerifiedPostback {
        let postback = try row.body.withBytes { body throws(Failure) in try receiver.verified(body) }
        guard postback.result == .invalid, let asNumber = row.asNumber else { return postback }
        let otherwise = try asNumber.withBytes { body throws(Failure) in try receiver.verified(body) }
        return otherwise.result.isProven ? otherwise : postback
    }

    private func read(
        from network: [UInt8], verified: () throws(Failure) -> VerifiedPostback, arrival: () throws(Failure) -> Int64
    ) -> ReadPostback {
        let postback: VerifiedPostback
        let writeID: PostbackWriteID
        do throws(Failure) {
            postback = try verified()
            writeID = try .draw()
        } catch {
            return .failed(error.message)
        }
        if postback.result == .malformed { return .wrong("expected a postback\(problem(of: postback))") }
        do throws(Failure) {
            return .arrived(ArrivedPostback(receiver.arrived(postback, from: network, at: try arrival(), writeID)))
        } catch {
            return .wrong(error.message)
        }
    }
}

private func problem(of postback: VerifiedPostback) -> Message {
    if let member = memberWithPostback(in: postback.body) {
        let name: Message = member.withUnsafeBytes { "\(quoted: $0)" }
        return ", got an envelope, whose member \(name) has one: give --columns"
    }
    return ": \(postback.problemWords ?? "it has no signature"), in \(quoted: postback.body)"
}

/// A postback that was read from a file and is to be stored.
final class ArrivedPostback {
    let reception: Reception
    /// nil unless storing the postback failed.
    var failure: Failure?

    init(_ reception: Reception) { self.reception = reception }

    var result: PostbackResult { reception.postback.result }
}

/// The result of reading one text of a file.
enum ReadPostback {
    case arrived(ArrivedPostback)
    /// The text is not a postback, or has no time of arrival. The message says what was expected and what was found.
    case wrong(Message)
    /// The text could not be read for another reason, such as a lack of memory.
    case failed(Message)
}
