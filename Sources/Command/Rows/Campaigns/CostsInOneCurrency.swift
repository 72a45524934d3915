import SKANCore

/// The costs of rows, converted to one currency row by row.
struct CostsInOneCurrency {
    let currency: Currency
    /// The converted cost of each row; nil if the row has none.
    var amounts: [Money?] = []
    private(set) var rates: [CostRate] = []
    private let models: RevenueModels

    init(_ currency: Currency, _ models: RevenueModels) {
        self.currency = currency
        self.models = models
    }

    /// The rate at which a currency is converted; nil if no model has one. Adds the rate to `rates`, unless the
    /// currency is already the one to convert to.
    mutating func rate(of currency: Currency) -> Money? {
        guard currency != self.currency else { return Money(units: Money.scale) }
        if let known = rates.first(where: { $0.currency == currency }) { return known.rate }
        for place in models.indices.reversed() {
            guard let model = models[place]?.model, let units = model.rate(of: currency) else { continue }
            rates.append(CostRate(currency: currency, rate: Money(units: units), model: model))
            return Money(units: units)
        }
        return nil
    }
}
