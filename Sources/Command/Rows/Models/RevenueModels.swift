package import SKANCore
import SKANPostbackReceiving

/// The conversion models that a report decodes values with, all in one currency.
package struct RevenueModels {
    private var models: [RevenueModel] = []
    private var installs = TimesByApp()
    private var reengagements = TimesByApp()
    package private(set) var currency: Currency?

    package init() {}

    package var isEmpty: Bool { models.isEmpty }
    package var indices: Range<Int> { models.indices }

    /// nil if no model has this index.
    package subscript(place: Int) -> RevenueModel? { models.indices.contains(place) ? models[place] : nil }

    /// nil if no model with this version was given.
    package func place(_ version: SHA256) -> Int? { models.firstIndex { $0.model.version == version } }

    /// The currencies that at least one of the models can convert, beginning with the first model's own currency.
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

    /// Adds a model for these apps. Returns false and adds nothing if its currency differs from that of earlier models.
    package mutating func add(_ model: ConversionModel, of apps: ModelApps = .any) -> Bool {
        guard currency == nil || currency == model.currency else { return false }
        currency = model.currency
        addForRows(model, of: apps)
        return true
    }

    /// Adds a model of any currency for these apps. Only rows may mix currencies, since each row names its own.
    package mutating func addForRows(_ model: ConversionModel, of apps: ModelApps = .any) {
        if place(model.version) == nil { models.append(RevenueModel(model)) }
        self.model(model.version)?.add(apps)
    }

    /// Sets the models for postbacks of installs, or of re-engagements. They decode the postbacks that were stored
    /// undecoded, or all of them if `decidesAll`. The models must have been added before, and be sorted by the Unix
    /// seconds from which each was in use. `app`: the app whose postbacks they decode; nil for all apps without models
    /// of their own.
    @export(interface)
    package mutating func decode(
        with models: [(from: Int64, model: ConversionModel)], of app: Int64?, ofReengagements: Bool, decidesAll: Bool
    ) {
        let times = GivenTimes(models, decidesAll: decidesAll)
        if ofReengagements { reengagements[app] = times } else { installs[app] = times }
    }

    func times(of app: Int64?, ofReengagements: Bool) -> GivenTimes {
        ofReengagements ? reengagements[app] : installs[app]
    }

    /// The model with this version for postbacks of an app; nil if no such model was given for the app.
    func model(_ version: SHA256?, of app: Int64?) -> RevenueModel? {
        model(version).flatMap { $0.may(decode: app) ? $0 : nil }
    }

    private func model(_ version: SHA256?) -> RevenueModel? { models.first { $0.model.version == version } }
}

/// The models of each app by time, and the models for all other apps.
private struct TimesByApp {
    private var others = GivenTimes.none
    private var own: [Int64: GivenTimes] = [:]

    subscript(app: Int64?) -> GivenTimes {
        get { app.flatMap { own[$0] } ?? others }
        set {
            if let app { own[app] = newValue } else { others = newValue }
        }
    }
}

/// The models for installs, or for re-engagements, that a command was given, by the time from which each was in use.
struct GivenTimes {
    private let models: PostbackModels<ConversionModel>
    /// Whether the models also decode postbacks that were already decoded when they were stored. They do if a time was
    /// given with a model.
    private let decidesAll: Bool

    static var none: GivenTimes { GivenTimes([], decidesAll: false) }

    init(_ models: [(from: Int64, model: ConversionModel)], decidesAll: Bool) {
        self.models = PostbackModels(models)
        self.decidesAll = decidesAll
    }

    func decides(for stored: PostbackDecoding) -> Bool { !models.isEmpty && (decidesAll || stored == .notDecoded) }

    func model(of time: ConversionTime) -> AppliedModel<ConversionModel> { models.model(of: time) }
}
