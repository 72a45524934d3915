internal import SKANCore

/// What postbacks and campaigns' files call a campaign by: a source identifier, two to four digits ("39", "239",
/// "5239"), or "campaign-id 42" for the campaign id of SKAdNetwork before 4.0. Apple gives the last two digits of a
/// source identifier first, then three, then all four, where the crowd is large.
package struct CampaignIdentifier: Equatable {
    package let text: ArraySlice<UInt8>

    static var none: CampaignIdentifier { CampaignIdentifier([]) }

    init(_ text: ArraySlice<UInt8>) { self.text = text }

    init(campaignID: Int64) { self.init(Message("\(CampaignIdentifier.beforeSKAN4)\(campaignID)").utf8[...]) }

    private static var beforeSKAN4: StaticString { "campaign-id " }

    /// Whether a file may have it.
    var isSound: Bool {
        if isSource { return true }
        let start = CampaignIdentifier.beforeSKAN4.bytes
        let digits = text.dropFirst(start.count)
        return text.starts(with: start) && 1...18 ~= digits.count && digits.allSatisfy(isDigit)
            && (digits.first != UInt8(ascii: "0") || digits.count == 1)
    }

    package var isBeforeSKAN4: Bool { text.starts(with: CampaignIdentifier.beforeSKAN4.bytes) }

    /// The digits that every source identifier has.
    package static var shortest: Int { 2 }

    private var isSource: Bool { 2...4 ~= text.count && text.allSatisfy(isDigit) }

    /// The campaign that it belongs to: its last two digits; other texts stand for themselves.
    package var campaign: ArraySlice<UInt8> { isSource ? text.suffix(2) : text }

    /// The next shorter end of it that is of the same campaign.
    var shorter: CampaignIdentifier? {
        let campaign = campaign
        return text.count > campaign.count ? CampaignIdentifier(text.dropFirst()) : nil
    }
}

/// Shorter ones first, so that campaigns of SKAN 4 stand before those of older versions, these by number.
package func isBeforeByLength(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.count != other.count ? one.count < other.count : one.lexicographicallyPrecedes(other)
}
