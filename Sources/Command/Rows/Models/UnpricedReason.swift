/// Why a winning value that is not hidden has no revenue.
package enum UnpricedReason: Int, CaseIterable {
    /// The receiver had no models for it.
    case notDecoded
    /// The model has no rule with the value.
    case undecodable
    /// The model changed while the install or re-engagement may have happened.
    case ambiguous
    /// The install or re-engagement is older than the first model.
    case noModel
    /// Its model was not given.
    case modelMissing
    /// The model does not speak of revenue in this window.
    case noRevenue
    /// Revenue since the install, counted in window 0.
    case cumulative

    /// The key in JSON and in rows.
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
