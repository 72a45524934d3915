/// What postbacks of installs tell beside their values.
struct PostbackFacts {
    private(set) var installs: UInt64 = 0
    /// The number of postbacks of versions before SKAdNetwork 4.0 that have a fine value.
    private(set) var fineOfOlderVersions: UInt64 = 0
    /// The number of postbacks with three or four digits of the source identifier.
    private(set) var longIdentifiers: UInt64 = 0
    private(set) var longIdentifiersWithoutValue: UInt64 = 0

    mutating func add(_ observed: borrowing ObservedPostback) {
        installs &+= 1
        if observed.identifier.isBeforeSKAN4 {
            if observed.fine != nil { fineOfOlderVersions &+= 1 }
        } else if observed.identifier.text.count > CampaignIdentifier.shortest {
            longIdentifiers &+= 1
            if observed.fine == nil, observed.coarse == nil { longIdentifiersWithoutValue &+= 1 }
        }
    }
}
