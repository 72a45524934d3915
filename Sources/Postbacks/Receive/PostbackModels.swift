package import SKANCore
internal import SKANPostbackVerification

/// A conversion model as used for decoding postbacks.
package protocol PostbackModel: Sendable {
    var version: SHA256 { get }
    /// Whether a rule of the model gives the value. -1 means that the fine or the coarse value is absent.
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

/// Models in ascending order of the Unix time from which each was in use for new installs or new re-engagements.
package struct PostbackModels<Model: PostbackModel>: Sendable {
    private let models: [(from: Int64, model: Model)]

    package init(_ models: [(from: Int64, model: Model)]) { self.models = models }

    package var isEmpty: Bool { models.isEmpty }

    /// Returns the model that was in use during all of `time`, the possible times of an install or re-engagement.
    package func model(of time: ConversionTime) -> AppliedModel<Model> {
        guard !models.isEmpty else { return .none }
        let earliest = place(at: time.from)
        guard let latest = place(at: time.until) else { return .tooEarly }
        let model = models[latest].model
        guard let earliest else { return .ambiguous }
        for place in earliest..<latest where models[place].model.version != model.version { return .ambiguous }
        return .one(model)
    }

    /// Rules, "Decoding postbacks": returns whether a postback's value can be decoded, and the version of the model
    /// that applies to the postback; nil if no single model does.
    func decode(_ postback: VerifiedPostback, of time: ConversionTime) -> (PostbackDecoding, SHA256?) {
        let model: Model
        switch self.model(of: time) {
        case .none: return (.notDecoded, nil)
        case .tooEarly: return (.noModel, nil)
        case .ambiguous: return (.ambiguous, nil)
        case .one(let found): model = found
        }
        let (fine, coarse) = (postback.fineValue, postback.coarseValue)
        guard fine >= 0 || coarse >= 0 else { return (.hidden, model.version) }
        let isDecodable = model.isDecodable(window: postback.window, fine: fine, coarse: coarse)
        return (isDecodable ? .decoded : .undecodable, model.version)
    }

    private func place(at moment: Int64) -> Int? { models.lastIndex { $0.from <= moment } }
}

/// The model that applies within a range of times.
package enum AppliedModel<Model: PostbackModel> {
    case none
    /// The range ends before the first model.
    case tooEarly
    /// Several models apply within the range.
    case ambiguous
    case one(Model)
}
