/// What postbacks of installs tell beside their values.
struct PostbackFacts {
    private(set) var installs: UInt64 = 0
    /// The number of postbacks of versions before SKAdNetwork 4.0 that have a fine value.
    private(set) var fineOfOlderVersions: UInt64 = 0
    /// The number of postbacks with three or four digits of the source identifier.
    private(set) var longIdentifiers: UInt64 = 0
    private(set) var longIdentifiersWithoutValue: UInt64 = 0

    mutating func add(_ sighting: borrowing Sighting) {
        installs &+= 1
        if sighting.identifier.isBeforeSKAN4 {
            if sighting.fine != nil { fineOfOlderVersions &+= 1 }
        } else if sighting.identifier.text.count > CampaignIdentifier.shortest {
            longIdentifiers &+= 1
            if sighting.fine == nil, sighting.coarse == nil { longIdentifiersWithoutValue &+= 1 }
        }
    }
}
