/// What a postback tells, and when the device sends it.
package struct Postback: Equatable {
    package let version: Ad.Version
    package var network: Int
    /// The identifier with as many digits as the postback has.
    package var identifier: Int
    /// Its postback-sequence-index; 0 in version 3, which has none.
    package let window: Int
    package let isRedownload: Bool
    package var fine: UInt8?
    /// 0 low, 1 medium, 2 high.
    package var coarse: UInt8?
    package var source: Ad.Source?
    /// The marketplace that the app came from. AdAttributionKit alone tells it.
    package var hasMarketplace = false
    /// The place of the country.
    package var country: Int?
    package var isWinning = true
    /// Unix seconds.
    package var time: Int64 = 0

    init(_ ad: Ad, isRedownload: Bool, window: Int) {
        (version, network, identifier) = (ad.version, ad.network, ad.identifier)
        (self.isRedownload, self.window) = (isRedownload, window)
    }
}
