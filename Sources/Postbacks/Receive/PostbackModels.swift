package import SKANCore
internal import SKANPostbackVerification

/// A conversion model as postbacks are decoded with it.
package protocol PostbackModel: Sendable {
    var version: SHA256 { get }
    /// Whether a rule gives the value; -1 = none is given.
    func isDecodable(window: Int32, fine: Int32, coarse: Int32) -> Bool
}

extension ConversionModel: PostbackModel {
    package func isDecodable(window: Int32, fine: Int32, coarse: Int32) -> Bool {
        do throws(Failure) {
            return try decode(window: window, fine: fine, coarse: coarse) != nil
        } catch {
            return false
        }
    }
}

/// Models by the moment, in Unix seconds, from when on new installs, or new re-engagements, had them: ascending.
package struct PostbackModels<Model: PostbackModel>: Sendable {
    private let models: [(from: Int64, model: Model)]

    package init(_ models: [(from: Int64, model: Model)]) { self.models = models }

    /// Rules, "Decoding postbacks": which model a postback's value is of, and whether it can be decoded.
    func decode(_ postback: VerifiedPostback, of time: ConversionTime) -> (PostbackDecoding, SHA256?) {
        guard !models.isEmpty else { return (.notDecoded, nil) }
        let earliest = place(at: time.from)
        guard let latest = place(at: time.until) else { return (.noModel, nil) }
        let model = models[latest].model
        guard let earliest else { return (.ambiguous, nil) }
        for place in earliest..<latest where models[place].model.version != model.version { return (.ambiguous, nil) }
        let (fine, coarse) = (postback.fineValue, postback.coarseValue)
        guard fine >= 0 || coarse >= 0 else { return (.hidden, model.version) }
        let isDecodable = model.isDecodable(window: postback.window, fine: fine, coarse: coarse)
        return (isDecodable ? .decoded : .undecodable, model.version)
    }

    /// The newest one from not after a moment.
    private func place(at moment: Int64) -> Int? { models.lastIndex { $0.from <= moment } }
}
