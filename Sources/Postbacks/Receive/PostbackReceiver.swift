package import SKANCore
package import SKANPostbackVerification

/// The configuration of a receiver: keys, models, the scope of the postbacks that are counted, and the budget for
/// storing refused ones. It keeps no counts: the store shows whether a postback was counted before.
package final class PostbackReceiver<Model: PostbackModel>: Sendable {
    private let keys: PostbackKeySet
    private let scope: PostbackScope
    private let installs: ModelsByApp<Model>
    private let reengagements: ModelsByApp<Model>
    package let refused: RefusedBudget

    package convenience init(
        keys: PostbackKeySet, scope: PostbackScope = .everything, installs: PostbackModels<Model>,
        reengagements: PostbackModels<Model>, refusedBytes: UInt64 = RefusedBudget.bytesByDefault
    ) {
        self.init(
            keys: keys, scope: scope, installs: ModelsByApp(installs), reengagements: ModelsByApp(reengagements),
            refused: RefusedBudget(bytes: refusedBytes))
    }

    /// `refused`: the budget for refused postbacks. If the receiver replaces an earlier one, pass the budget of the
    /// earlier one.
    package init(
        keys: PostbackKeySet, scope: PostbackScope, installs: ModelsByApp<Model>,
        reengagements: ModelsByApp<Model>, refused: RefusedBudget
    ) {
        self.keys = keys
        self.scope = scope
        self.installs = installs
        self.reengagements = reengagements
        self.refused = refused
    }

    package var decodesInstalls: Bool { !installs.isEmpty }

    /// Nothing is stored yet.
    package func verified(_ body: UnsafeRawBufferPointer) throws(Failure) -> VerifiedPostback {
        try VerifiedPostback(verifying: body, keys: keys)
    }

    /// Judges and decodes a postback that arrived. Nothing is stored until the reception is carried out.
    ///
    /// - Parameters:
    ///   - network: The sender's ad network; empty if it is not known.
    ///   - received: The time of arrival in microseconds since 1970.
    ///   - sender: The kind of sender, which matters only for unverifiable postbacks.
    ///   - decodes: Whether models may decode the postback's value.
    @_optimize(size)
    package func arrived(
        _ postback: VerifiedPostback, from network: [UInt8], at received: Int64, _ writeID: PostbackWriteID,
        of sender: UnverifiableSender = .anybody, decodes: Bool = true
    ) -> Reception {
        var record = PostbackRecord(writeID, postback.verdict, received: received, network: network)
        if postback.result != .valid {
            record.outcome = .refused
        } else if !scope.hasApp(of: postback) {
            record.outcome = .otherApp
        } else if !postback.isOfNetwork(network) || !scope.hasAdNetwork(of: postback) {
            record.outcome = .otherNetwork
        } else {
            record.time = ConversionTime(of: postback, received: received)
            if decodes { decode(postback, &record) }
        }
        return Reception(postback, record, refused, sender)
    }

    @_optimize(size)
    private func decode(_ postback: VerifiedPostback, _ record: inout PostbackRecord) {
        if postback.unknownType != nil { return }
        let models = models(for: postback).models(of: postback.integer(.appID))
        (record.decoding, record.model) = models.decode(postback, of: record.time)
        if postback.hasIllegalValue { record.decoding = .illegal }
    }

    private func models(for postback: VerifiedPostback) -> ModelsByApp<Model> {
        postback.conversion == .reengagement ? reengagements : installs
    }

    /// The app of a postback, if it has no models of its own and the models for all other apps decode the postback;
    /// otherwise nil.
    package func appWithoutOwnModels(_ postback: VerifiedPostback) -> Int64? {
        guard let app = postback.integer(.appID), models(for: postback).areOthers(for: app) else { return nil }
        return app
    }
}

extension VerifiedPostback {
    fileprivate func isOfNetwork(_ network: [UInt8]) -> Bool {
        network.isEmpty || network.withUnsafeBytes { name in text(.adNetworkID).map { isSame($0, name) } ?? false }
    }
}
