import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// Reads postbacks from rows that other programs stored. Thread-safe.
struct RowReader: Sendable {
    private let map: ColumnMap
    private let times: ArrivalField
    private let now: Int64

    /// `now`: the current time, in microseconds since 1970.
    init(_ map: ColumnMap, now: Int64) {
        self.map = map
        self.now = now
        times = ArrivalField([UInt8](StaticString("received").bytes), now: now)
    }

    /// `row`: a JSON object of the row's columns.
    func read(_ row: Bytes) throws(Failure) -> ReceivedRow {
        let members: [JSONMember]
        do throws(JSONFault) { members = try JSONDocument(row, allowsDuplicates: true).members } catch {
            throw Failure(.invalidDocument, "expected a row: \(error.description)")
        }
        let (body, asNumber) = try document(of: members)
        guard body.count <= PostbackRecord.bodyBytes else {
            throw Failure(
                .invalidDocument,
                "expected a postback of at most \(PostbackRecord.bodyBytes) bytes, got one of \(body.count)")
        }
        let received = try map.received.map { columns throws(Failure) in
            try times.moment(of: columns.value(in: members), in: columns.words)
        }
        return ReceivedRow(
            body: body, asNumber: asNumber, received: received ?? now, network: try network(of: members))
    }

    private func network(of row: [JSONMember]) throws(Failure) -> [UInt8] {
        guard let columns = map.network, let value = columns.value(in: row) else { return [] }
        let most = PostbackRecord.networkBytes
        guard value.kind == .string, value.text.count <= most, value.text.withUnsafeBytes({ isPlainText($0) }) else {
            throw Failure(
                .invalidDocument, "\(columns.words): expected an ad network's id of at most \(most) bytes")
        }
        return value.text
    }

    /// Makes Apple's document from a row, and also the document with the source-identifier as a number, from which
    /// verification can restore lost zeros. The latter is nil if the identifier cannot be such a number.
    private func document(of row: [JSONMember]) throws(Failure) -> (body: [UInt8], asNumber: [UInt8]?) {
        if let postback = map.postback {
            guard let value = postback.value(in: row) else { throw noPostback }
            return (WrappedPostback(value).document, nil)
        }
        guard map.signatures.contains(where: { $0.value(in: row) != nil }) else { throw noPostback }
        let values = map.members.compactMap { member, columns in
            columns.value(in: row).map { (member: member, value: $0) }
        }
        let hasNumber = values.contains { $0.member.digitsWithoutZeros($0.value) != nil }
        return (document(of: values, asNumber: false), hasNumber ? document(of: values, asNumber: true) : nil)
    }

    private func document(of values: [(member: AppleMember, value: ColumnValue)], asNumber: Bool) -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        for (member, value) in values {
            if asNumber, let digits = member.digitsWithoutZeros(value) {
                json.write(member, number: digits)
            } else {
                json.write(member, value)
            }
        }
        json.endObject()
        return json.finish().array
    }

    private var noPostback: Failure {
        let columns = map.signatures.first?.words ?? ""
        return Failure(.invalidDocument, "expected a row with a postback: there is nothing in \(columns)")
    }
}

/// A postback that was read from a row.
struct ReceivedRow {
    /// Apple's document.
    let body: [UInt8]
    /// The document with the source-identifier as a number, from which verification can restore lost zeros; nil if the
    /// identifier cannot be such a number.
    let asNumber: [UInt8]?
    /// The time of arrival, in microseconds since 1970.
    let received: Int64
    /// The ad network that passed the postback on; empty if the row does not say.
    let network: [UInt8]
}
