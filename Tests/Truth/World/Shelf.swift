internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification
internal import SKANSimulatedDevice
internal import SKANSystem

/// A receiver's store, in memory.
///
/// Signatures would take most of the time that a world is played in: one postback in 32 is signed and verified. The others
/// carry the signature of the one before and take its verdict.
struct Shelf {
    private(set) var records: [[UInt8]: [UInt8]] = [:]
    private let receiver: PostbackReceiver<ConversionModel>
    private let key: SigningKey
    private var proofs: [Ad.Version: (signature: [UInt8], verdict: PostbackVerdict)] = [:]

    init(_ key: SigningKey, _ models: PostbackModels<ConversionModel>) throws(Failure) {
        self.key = key
        receiver = PostbackReceiver(keys: try key.keySet(), installs: models, reengagements: PostbackModels([]))
    }

    /// Answers whether it was counted. `number`: of the postback, from 1.
    mutating func receive(_ sent: Sent, _ number: Int, at time: Int64) throws(Failure) -> Bool {
        let postback = try postback(sent, number)
        let reception = receiver.arrived(postback, from: [], at: time * 1_000_000, try .draw())
        reception.begin()
        while true {
            let key = reception.key().array
            switch reception.next() {
            case .save:
                let isNew = records[key] == nil
                if isNew { records[key] = reception.recordBytes().array }
                reception.saved(isNew ? .ok : .storeConflict)
            case .load:
                (records[key] ?? []).withUnsafeBytes { reception.loaded($0, version: 1) }
            case .remove, .done:
                if let failure = reception.failure { throw failure }
                return reception.record.outcome == .counted
            }
        }
    }

    private mutating func postback(_ sent: Sent, _ number: Int) throws(Failure) -> VerifiedPostback {
        let text = PostbackText(sent.postback, transaction: sent.transaction)
        let version = sent.postback.version
        if let proof = proofs[version], number % 32 != 0 {
            let body = text.body(signature: proof.signature)
            return body.withUnsafeBytes { VerifiedPostback(restoring: $0, proof.verdict) }
        }
        let signature = version == .adAttributionKit ? key.numbers(text.signed) : key.signature(text.signed)
        let body = text.body(signature: signature)
        let postback = try body.withBytes { body throws(Failure) in try receiver.verified(body) }
        guard postback.result == .valid else { throw Failure(.invalidArgument, "a postback did not verify") }
        proofs[version] = (signature, postback.verdict)
        return postback
    }
}
