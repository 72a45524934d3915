internal import SKANCore
internal import SKANPostbackReceiving

/// The models of installs, or of re-engagements, that a command was given, by the moment from when on they were in use.
struct GivenTimes {
    private let models: PostbackModels<ConversionModel>
    /// A moment was given with one: they decide for postbacks that were stored decoded, too.
    private let decidesAll: Bool

    static var none: GivenTimes { GivenTimes([], decidesAll: false) }

    init(_ models: [(from: Int64, model: ConversionModel)], decidesAll: Bool) {
        self.models = PostbackModels(models)
        self.decidesAll = decidesAll
    }

    func decides(for stored: PostbackDecoding) -> Bool { !models.isEmpty && (decidesAll || stored == .notDecoded) }

    func model(of time: ConversionTime) -> AppliedModel<ConversionModel> { models.model(of: time) }
}
