internal import SKANCore
internal import SKANSystem

/// The checked amount of a step.
func eventAmount(_ revenue: HistoryRevenue, _ model: ConversionModel) throws(Failure) -> EventAmount {
    EventAmount(
        amount: try Arguments.amount(revenue.amount),
        currency: try revenue.currency.withBytes { text throws(Failure) in try Arguments.currency(text) },
        kind: try Arguments.kind(adMonetization: revenue.isAd, model.protocolVersion))
}

/// Calls `body` with the bytes of a text, or with nil if there is no text. The bytes of an empty text are not nil.
func withBytes<Result>(
    _ text: [UInt8]?, _ body: (Bytes?) throws(Failure) -> Result
) throws(Failure) -> Result {
    guard let text else { return try body(nil) }
    return try text.withBytes { bytes throws(Failure) in try body(bytes) }
}
