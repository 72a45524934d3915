/// An ad that a person saw before an install.
package struct Ad {
    /// The version that the network signed it with.
    package let version: Version
    /// The place of the network.
    package let network: Int
    /// Four digits, or the campaign-id of version 3.
    package let identifier: Int
    /// The app or website that showed it.
    package let source: Source
    /// The place of the country.
    package let country: Int

    package init(_ version: Version, network: Int, identifier: Int, source: Source, country: Int) {
        (self.version, self.network, self.identifier) = (version, network, identifier)
        (self.source, self.country) = (source, country)
    }

    package enum Version {
        case skan3, skan4, adAttributionKit
    }

    package enum Source: Equatable {
        case app(Int), domain(Int)
    }
}
