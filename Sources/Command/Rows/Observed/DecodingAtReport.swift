import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification

extension RevenueModels {
    /// Returns how a postback is decoded, and the version of the model that applies. If the models given to the report
    /// do not decide, both are returned as they are stored.
    func decoding(
        of postback: VerifiedPostback, _ record: borrowing PostbackRecord
    ) -> (PostbackDecoding, SHA256?) {
        let conversion = AdConversion(of: postback)
        if conversion == .unknownType { return (.notDecoded, nil) }
        if postback.hasIllegalValue { return (.illegal, record.model) }
        let stored = (record.decoding, record.model)
        let times = times(of: postback.integer(.appID), ofReengagements: conversion == .reengagement)
        guard record.outcome == .counted, times.decides(for: stored.0) else { return stored }
        switch times.model(of: record.time) {
        case .none: return (.notDecoded, nil)
        case .ambiguous: return (.ambiguous, nil)
        case .tooEarly: return (.noModel, nil)
        case .one(let model): return decoding(of: postback, model.version)
        }
    }

    private func decoding(of postback: VerifiedPostback, _ version: SHA256) -> (PostbackDecoding, SHA256?) {
        let fine = postback.integer(.conversionValue).map { Int($0) }
        let coarse = postback.integer(.coarseValue).map { Int($0) }
        guard postback.hasValue else { return (.hidden, version) }
        let window = Window(rawValue: UInt8(truncatingIfNeeded: postback.window)) ?? .first
        let model = model(version, of: postback.integer(.appID))
        let isDecodable = model?.isDecodable(window, fine: fine, coarse: coarse) ?? false
        return (isDecodable ? .decoded : .undecodable, version)
    }
}
