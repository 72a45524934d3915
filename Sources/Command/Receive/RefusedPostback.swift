import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

struct RefusedPostback {
    let key: [UInt8]
    /// The version of the postback's record.
    let version: UInt64
    let record: PostbackRecord
    /// The postback with the result that is stored with it. If its body was cut, it has no fields.
    let postback: VerifiedPostback
    let reason: RefusedReason

    init(_ key: Bytes, _ bytes: Bytes, version: UInt64) throws(Failure) {
        let kind = RecordKind(of: bytes, under: key)
        if let problem = kind.nameProblem(key) { throw Failure(.corruptRecord, "wrong name: \(problem)") }
        let (record, body) = try PostbackRecord.read(bytes)
        self.key = [UInt8](key)
        self.version = version
        self.record = record
        postback = VerifiedPostback(restoring: body, record.verdict)
        reason = RefusedReason(record.outcome, record.verdict.result)
    }

    var body: UnsafeRawBufferPointer { postback.body }

    /// Whether only the beginning of the body was stored.
    var isCut: Bool { body.count == RefusedSort(record.verdict.result).bodyBytes && body.last != UInt8(ascii: "}") }

    /// Says what is wrong with a malformed or unverifiable postback, and which field is at fault; nil if that is not
    /// known.
    func problem(_ keys: PostbackKeySet) -> Message? {
        guard reason == .malformed || reason == .unverifiable else { return nil }
        return isCut ? nil : (try? VerifiedPostback(verifying: body, keys: keys))?.problemWords
    }
}
