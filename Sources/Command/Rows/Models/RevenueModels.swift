package import SKANCore
import SKANPostbackReceiving

/// The conversion models that the report decodes values with, all in one currency.
package struct RevenueModels {
    private var models: [RevenueModel] = []
    /// The models that decode postbacks of installs and of re-engagements, by time.
    private(set) var installs = GivenTimes.none
    private(set) var reengagements = GivenTimes.none
    package private(set) var currency: Currency?

    package init() {}

    package var isEmpty: Bool { models.isEmpty }
    package var count: Int { models.count }
    package var indices: Range<Int> { models.indices }

    /// The model at an index; nil if there is none.
    package subscript(place: Int) -> RevenueModel? { models.indices.contains(place) ? models[place] : nil }

    /// The index of the model with this version; nil if it was not given.
    package func place(_ version: SHA256) -> Int? { models.firstIndex { $0.model.version == version } }

    /// The currencies that at least one model can convert, beginning with the first model's own.
    var ratedCurrencies: [Currency] {
        var currencies: [Currency] = []
        for model in models {
            for currency in [model.model.currency] + model.model.rates.map({ $0.currency })
            where !currencies.contains(currency) {
                currencies.append(currency)
            }
        }
        return currencies
    }

    /// Adds a model; returns false if its currency differs from that of the models before.
    package mutating func add(_ model: ConversionModel) -> Bool {
        guard currency == nil || currency == model.currency else { return false }
        currency = model.currency
        addForRows(model)
        return true
    }

    /// Adds a model of any currency: for rows, each of which states its currency.
    package mutating func addForRows(_ model: ConversionModel) {
        if place(model.version) == nil { models.append(RevenueModel(model)) }
    }

    /// Sets the models for postbacks of installs, or of re-engagements, that were stored undecoded; with `decidesAll`,
    /// for all of them. The models must have been added, and be sorted by the Unix seconds from which each was in use.
    @export(interface)
    package mutating func decode(
        with models: [(from: Int64, model: ConversionModel)], ofReengagements: Bool, decidesAll: Bool
    ) {
        let times = GivenTimes(models, decidesAll: decidesAll)
        if ofReengagements { reengagements = times } else { installs = times }
    }

    /// The model with this version; nil if it was not given.
    func model(_ version: SHA256?) -> RevenueModel? { models.first { $0.model.version == version } }
}

/// The models of installs, or of re-engagements, given to a command, by the time from which each was in use.
struct GivenTimes {
    private let models: PostbackModels<ConversionModel>
    /// Whether a time was given with a model, so that the models also decide for postbacks stored as decoded.
    private let decidesAll: Bool

    static var none: GivenTimes { GivenTimes([], decidesAll: false) }

    init(_ models: [(from: Int64, model: ConversionModel)], decidesAll: Bool) {
        self.models = PostbackModels(models)
        self.decidesAll = decidesAll
    }

    func decides(for stored: PostbackDecoding) -> Bool { !models.isEmpty && (decidesAll || stored == .notDecoded) }

    func model(of time: ConversionTime) -> AppliedModel<ConversionModel> { models.model(of: time) }
}
