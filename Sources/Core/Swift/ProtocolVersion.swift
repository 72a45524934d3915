internal import SKANCore

/// A version of the SKAdNetwork protocol. An engine uses one version for all its installs.
public struct ProtocolVersion: Hashable, Sendable {
    let core: SKANCore.ProtocolVersion

    /// SKAdNetwork 4: three postback windows, fine and coarse values, locks. Rules, "Windows".
    public static let skan4 = ProtocolVersion(core: .skan4)
    /// SKAdNetwork 3 and older: one rolling window, fine values only. Rules, "SKAN 3".
    public static let skan3 = ProtocolVersion(core: .skan3)
}

extension ProtocolVersion: RawRepresentable {
    /// Creates the version with a number; nil unless the number is 3 or 4.
    public init?(rawValue: Int) {
        guard let number = UInt8(exactly: rawValue), let core = SKANCore.ProtocolVersion(rawValue: number) else {
            return nil
        }
        self.init(core: core)
    }

    /// The number of the version, 3 or 4.
    public var rawValue: Int { Int(core.rawValue) }
}

extension ProtocolVersion: CustomStringConvertible {
    public var description: String { "SKAN \(rawValue)" }
}
