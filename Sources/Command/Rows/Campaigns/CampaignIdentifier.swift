import SKANCore

/// The identifier of a campaign in postbacks and campaigns' files: a source identifier of two to four digits ("39",
/// "239", "5239"), or "campaign-id 42" for the campaign id before SKAdNetwork 4.0. Apple reveals the last two digits of
/// a source identifier, and with larger crowds three or all four.
package struct CampaignIdentifier: Equatable {
    package let text: ArraySlice<UInt8>

    static var none: CampaignIdentifier { CampaignIdentifier([]) }

    init(_ text: ArraySlice<UInt8>) { self.text = text }

    init(campaignID: Int64) { self.init(Message("\(CampaignIdentifier.beforeSKAN4)\(campaignID)").utf8[...]) }

    private static var beforeSKAN4: StaticString { "campaign-id " }

    /// Whether a campaigns' file may contain the identifier: two to four digits, or a campaign id such as "campaign-id
    /// 42".
    var isSound: Bool {
        if isSource { return true }
        let start = CampaignIdentifier.beforeSKAN4.bytes
        let digits = text.dropFirst(start.count)
        return text.starts(with: start) && 1...18 ~= digits.count && digits.allSatisfy(isDigit)
            && (digits.first != UInt8(ascii: "0") || digits.count == 1)
    }

    package var isBeforeSKAN4: Bool { text.starts(with: CampaignIdentifier.beforeSKAN4.bytes) }

    /// The smallest number of digits of a source identifier.
    package static var shortest: Int { 2 }

    private var isSource: Bool { 2...4 ~= text.count && text.allSatisfy(isDigit) }

    /// The part of the identifier that names the campaign: the last two digits of a source identifier, or the whole of
    /// any other identifier.
    package var campaign: ArraySlice<UInt8> { isSource ? text.suffix(2) : text }

    /// The identifier without its first digit, such as "239" for "5239"; nil if it has only two digits or is not a
    /// source identifier.
    var shorter: CampaignIdentifier? {
        let campaign = campaign
        return text.count > campaign.count ? CampaignIdentifier(text.dropFirst()) : nil
    }
}

/// Whether a text sorts before another one: shorter texts first, then by their bytes. So campaigns of SKAN 4 come
/// before those of older versions, which are sorted by number.
package func isBeforeByLength(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.count != other.count ? one.count < other.count : one.lexicographicallyPrecedes(other)
}
