package import SKANCore
package import SKANPostbackVerification

/// The configuration of a receiver: keys, models, whose postbacks are counted, and how many refused ones are stored.
/// The store does the counting.
package final class PostbackReceiver<Model: PostbackModel>: Sendable {
    private let keys: PostbackKeySet
    private let scope: PostbackScope
    private let installs: PostbackModels<Model>
    private let reengagements: PostbackModels<Model>
    package let refused: RefusedBudget

    package convenience init(
        keys: PostbackKeySet, scope: PostbackScope = .everything, installs: PostbackModels<Model>,
        reengagements: PostbackModels<Model>, refused limits: RefusedLimits = RefusedLimits()
    ) {
        self.init(
            keys: keys, scope: scope, installs: installs, reengagements: reengagements, refused: RefusedBudget(limits))
    }

    /// `refused`: the budget of an earlier receiver that this one replaces, if there is one.
    package init(
        keys: PostbackKeySet, scope: PostbackScope, installs: PostbackModels<Model>,
        reengagements: PostbackModels<Model>, refused: RefusedBudget
    ) {
        self.keys = keys
        self.scope = scope
        self.installs = installs
        self.reengagements = reengagements
        self.refused = refused
    }

    /// Whether there is a model that decodes postbacks of installs.
    package var decodesInstalls: Bool { !installs.isEmpty }

    /// Reads and verifies a body. Nothing is stored yet.
    package func verified(_ body: UnsafeRawBufferPointer) throws(Failure) -> VerifiedPostback {
        try VerifiedPostback(verifying: body, keys: keys)
    }

    /// Decodes a postback that arrived. Nothing is stored yet.
    ///
    /// - Parameters:
    ///   - network: The sender's ad network; empty if it is not known.
    ///   - received: The time of arrival in microseconds since 1970.
    ///   - sender: The kind of sender, for unverifiable postbacks.
    @_optimize(size)
    package func arrived(
        _ postback: VerifiedPostback, from network: [UInt8], at received: Int64, _ writeID: PostbackWriteID,
        of sender: UnverifiableSender = .anybody
    ) -> Reception {
        var record = PostbackRecord(writeID, postback.verdict, received: received, network: network)
        if postback.result != .valid {
            record.outcome = .refused
        } else if !scope.hasApp(of: postback) {
            record.outcome = .otherApp
        } else if !postback.isOfNetwork(network) || !scope.hasAdNetwork(of: postback) {
            record.outcome = .otherNetwork
        } else {
            decode(postback, &record)
        }
        return Reception(postback, record, refused, sender)
    }

    @_optimize(size)
    private func decode(_ postback: VerifiedPostback, _ record: inout PostbackRecord) {
        record.time = ConversionTime(of: postback, received: record.received)
        record.isReengagement = postback.conversion == .reengagement
        let models = record.isReengagement ? reengagements : installs
        (record.decoding, record.model) = models.decode(postback, of: record.time)
    }
}

extension VerifiedPostback {
    fileprivate func isOfNetwork(_ network: [UInt8]) -> Bool {
        network.isEmpty || network.withUnsafeBytes { name in text(.adNetworkID).map { isSame($0, name) } ?? false }
    }
}
