/// The known facts about the device that an event came from. A request carries them as the items `v`, `idfv` and
/// `idfa`.
///
/// Each text has at most 256 bytes of UTF-8 without control bytes (00–1F and 7F); nil or an empty one is left out.
public struct Device: Hashable, Sendable {
    /// The version of iOS, such as "16.1". SKAN 3's requests have no such item.
    public var osVersion: String?
    /// The identifier for vendor.
    public var idfv: String?
    /// The identifier for advertisers.
    public var idfa: String?

    public init(osVersion: String? = nil, idfv: String? = nil, idfa: String? = nil) {
        self.osVersion = osVersion
        self.idfv = idfv
        self.idfa = idfa
    }
}

/// A request for an install's next conversion value, which the host sends to the endpoint. Rules, "Request".
///
/// Printing it does not show the URL, which carries the SDK key.
public struct ConversionRequest: Hashable, Sendable {
    /// The URL to GET: endpoint, path and percent-encoded query. It carries the SDK key: keep it out of logs.
    public let url: String

    /// The number of the request; later requests have greater numbers. Pass it to
    /// ``Engine/applyResponse(_:_:ticket:body:)`` with the answer. Below 2⁶³, never 0.
    public let ticket: UInt64
}

extension ConversionRequest: CustomStringConvertible {
    public var description: String { "request with ticket \(ticket)" }
}

/// The result of ``Engine/conversionRequest(_:_:)``: its outcome, and the request, if one may be made.
public struct RequestResult: Hashable, Sendable {
    /// The outcome: ``Outcome/ok``, ``Outcome/duplicateEvent``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    public let outcome: Outcome

    /// The request to send; nil unless the outcome is ``Outcome/ok``.
    public let request: ConversionRequest?
}
