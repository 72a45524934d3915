/// Named as the client of another package.
public struct HTTPClient: Sendable {
    public init() {}
}
