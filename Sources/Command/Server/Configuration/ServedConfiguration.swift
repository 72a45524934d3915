internal import SKANSystem

/// The configuration that a server goes by now. A request takes it once, at its beginning. Any thread.
final class ServedConfiguration: @unchecked Sendable {
    private var configuration: ServerConfiguration
    private let lock = Lock()

    init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    var current: ServerConfiguration { lock.hold { configuration } }

    func replace(_ next: ServerConfiguration) {
        // The old one ends where the last request does that has it, and not while the lock is held.
        let old = lock.hold {
            defer { configuration = next }
            return configuration
        }
        withExtendedLifetime(old) {}
    }
}
