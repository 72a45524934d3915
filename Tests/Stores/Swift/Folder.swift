import Foundation

/// A folder of a test's own, which goes with it.
final class Folder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "skan-stores-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

    func path(_ file: String) -> String { url.appending(path: file).path }

    deinit { try? FileManager.default.removeItem(at: url) }
}
