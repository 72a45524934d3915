/// What is known of the device an event came from: items `v`, `idfv` and `idfa` of a request.
///
/// Each text has at most 256 bytes of UTF-8 without control bytes (00–1F and 7F); nil or an empty one is left out.
public struct Device: Hashable, Sendable {
    /// The version of iOS, "16.1". SKAN 3's requests have no such item.
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
