import SKAN

extension Configuration {
    /// The settings of an engine that asks an endpoint.
    static let asking = Configuration(endpointURL: "https://skan.example.com")
}
