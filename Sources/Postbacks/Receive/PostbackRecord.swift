package import SKANCore
package import SKANPostbackVerification

/// The record of a received postback. It is made when a postback arrives, and stored once the postback is counted or
/// refused.
package struct PostbackRecord: Sendable {
    package let writeID: PostbackWriteID
    package var outcome = PostbackOutcome.counted
    package var decoding = PostbackDecoding.notDecoded
    package let verdict: PostbackVerdict
    /// The time of arrival in microseconds since 1970.
    package let received: Int64
    package var time = ConversionTime.none
    /// The version of the model that applies; nil if no single model does.
    package var model: SHA256?
    /// The sender's ad network; empty if it is not known.
    package let network: [UInt8]

    init(
        _ writeID: PostbackWriteID, _ verdict: PostbackVerdict, received: Int64, network: [UInt8]
    ) {
        self.writeID = writeID
        self.verdict = verdict
        self.received = received
        self.network = network
    }

    /// Sets the outcome of a postback that is not counted, and removes its decoding, model and times.
    mutating func endUncounted(_ outcome: PostbackOutcome) {
        self.outcome = outcome
        decoding = .notDecoded
        model = nil
        time = .none
    }
}
