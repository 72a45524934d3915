package import SKANCore
internal import SKANPostbackReceiving

/// The conversion models that the report knows values by, all of one currency.
package struct RevenueModels {
    private var models: [RevenueModel] = []
    /// What decodes postbacks of installs, and of re-engagements.
    private(set) var installs = GivenTimes.none
    private(set) var reengagements = GivenTimes.none
    package private(set) var currency: Currency?

    package init() {}

    package var isEmpty: Bool { models.isEmpty }
    package var count: Int { models.count }
    package var indices: Range<Int> { models.indices }

    /// nil where there is none.
    package subscript(place: Int) -> RevenueModel? { models.indices.contains(place) ? models[place] : nil }

    /// The index of the model with this version; nil if it was not given.
    package func place(_ version: SHA256) -> Int? { models.firstIndex { $0.model.version == version } }

    /// The currencies that one of the models at least can convert, its own first.
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

    /// Adds a version; false where its currency is another one than that of those before.
    package mutating func add(_ model: ConversionModel) -> Bool {
        guard currency == nil || currency == model.currency else { return false }
        currency = model.currency
        addForRows(model)
        return true
    }

    /// Adds a version, whatever its currency: for rows, each of which tells its own.
    package mutating func addForRows(_ model: ConversionModel) {
        if place(model.version) == nil { models.append(RevenueModel(model)) }
    }

    /// Decodes postbacks of installs, or of re-engagements, that were stored undecoded; where `decidesAll`, every one.
    /// The models were added, and are in the order of the moments, in Unix seconds, from when on each was in use.
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
