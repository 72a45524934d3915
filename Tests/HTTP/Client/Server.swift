import Foundation

/// The misbehaving server of the tests, server.py, as a process beside them. It ends with its input.
final class Server: Sendable {
    static let shared = Server()

    let folder: URL
    private let ports: [String: Int]
    private let input = Pipe()

    private init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("skan-http-\(UUID().uuidString)")
        try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../Trouble/HTTP/server.py")
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, folder.path]
        process.standardInput = input
        process.standardOutput = output
        try! process.run()
        var text = ""
        while !text.hasSuffix("ready\n") {
            let data = output.fileHandleForReading.availableData
            precondition(!data.isEmpty, "the server did not start")
            text += String(decoding: data, as: UTF8.self)
        }
        var ports: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { ports[String(parts[0])] = Int(parts[1]) }
        }
        self.ports = ports
    }

    func url(_ port: String, _ path: String) -> String {
        "\(port == "plain" ? "http" : "https")://127.0.0.1:\(ports[port] ?? 0)\(path)"
    }
}
