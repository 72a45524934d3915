/// The reason why a winning postback's value has no known revenue.
package enum UnpricedReason: Int, CaseIterable {
    /// The postback was stored without a model.
    case notDecoded
    /// No rule of the model gives the value.
    case undecodable
    /// The install or re-engagement can have happened before or after a change of models.
    case ambiguous
    /// The install or re-engagement is older than the first model.
    case noModel
    /// The value's model was not given to the report.
    case modelMissing
    /// No rule of the model for this window has a condition on revenue.
    case noRevenue
    /// The value stands for revenue since the install, which was already counted for window 0.
    case cumulative

    /// The name of the reason in JSON and in rows.
    package var key: StaticString {
        switch self {
        case .notDecoded: "not_decoded"
        case .undecodable: "undecodable"
        case .ambiguous: "ambiguous_model"
        case .noModel: "before_first_model"
        case .modelMissing: "model_not_given"
        case .noRevenue: "model_without_revenue"
        case .cumulative: "revenue_since_install"
        }
    }
}
