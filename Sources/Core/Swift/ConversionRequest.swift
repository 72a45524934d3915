/// A request for an install's next conversion value, to be made by the host. Rules, "Request".
///
/// Printing it does not show the URL, which carries the SDK key.
public struct ConversionRequest: Hashable, Sendable {
    /// Endpoint, path and percent-encoded query: to GET. It carries the SDK key: keep it out of logs.
    public let url: String

    /// Orders requests: newer ones are greater. Goes to ``Engine/applyResponse(_:ticket:body:)`` with the answer. Below
    /// 2⁶³, never 0.
    public let ticket: UInt64
}

extension ConversionRequest: CustomStringConvertible {
    public var description: String { "request with ticket \(ticket)" }
}

/// What ``Engine/conversionRequest(_:event:device:)`` answers: how it ended, and the request where one may be made.
public struct RequestResult: Hashable, Sendable {
    /// ``Outcome/ok``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    public let outcome: Outcome

    /// nil unless the outcome is ``Outcome/ok``.
    public let request: ConversionRequest?
}
