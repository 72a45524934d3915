internal import SKANCore

/// The settings of an engine: its protocol, the endpoint it asks, and what its requests say about the app.
///
/// ``Engine/init(_:store:models:reengagements:transport:clock:)`` checks them. The printed form shows neither the SDK
/// key nor the endpoint's URL, which may contain another secret.
public struct Configuration: Hashable, Sendable {
    /// The protocol of all the engine's installs.
    public var protocolVersion: ProtocolVersion

    /// The URL that requests go to: http or https, at most 2048 bytes of printable ASCII without `?`, `#` and space. A
    /// slash at its end is dropped. nil = none; an engine with a transport, or of SKAN 4 with no models at all, needs
    /// one.
    public var endpointURL: String?

    /// The SDK key, item `a` of requests. It has at most 256 bytes of UTF-8 without control bytes (00–1F and 7F), as
    /// have the bundle id and the app's version. An empty text is left out.
    public var sdkKey: String

    /// The app's bundle id, item `i` of requests.
    public var bundleID: String

    /// The app's version, item `app_v` of requests.
    public var appVersion: String

    public init(
        protocolVersion: ProtocolVersion = .skan4, endpointURL: String? = nil,
        sdkKey: String = "", bundleID: String = "", appVersion: String = ""
    ) {
        self.protocolVersion = protocolVersion
        self.endpointURL = endpointURL
        self.sdkKey = sdkKey
        self.bundleID = bundleID
        self.appVersion = appVersion
    }

    /// "https://sdk-api-v1.singular.net", Singular's server. Rules, "Published endpoint".
    public static var singularEndpointURL: String { RequestTarget.publishedEndpoint.description }
}

extension Configuration: CustomStringConvertible {
    public var description: String {
        "\(protocolVersion), app \(bundleID) \(appVersion), \(sdkKey.isEmpty ? "no SDK key" : "an SDK key")"
    }
}

extension RequestTarget {
    init(_ configuration: Configuration) throws {
        var texts = CallTexts()
        defer { texts.free() }
        let endpoint = texts.keep(ifAny: configuration.endpointURL, limit: Limits.endpointBytes)
        let sdkKey = texts.keep(configuration.sdkKey, limit: Limits.textBytes)
        let bundleID = texts.keep(configuration.bundleID, limit: Limits.textBytes)
        let appVersion = texts.keep(configuration.appVersion, limit: Limits.textBytes)
        self = try translated { () throws(Failure) in
            try RequestTarget(
                configuration.protocolVersion.core, endpoint: endpoint, sdkKey: sdkKey, bundleID: bundleID,
                appVersion: appVersion)
        }
    }
}
