// As asks.c, in Swift: asks FILE URL.
import Foundation
import SKAN
import SKANHTTP
import SKANSQLite

var options = HTTPTransport.Options()
options.timeout = .seconds(3)
options.attemptTimeout = .milliseconds(400)
options.maxAttempts = 3
options.backoff = .milliseconds(10)
options.maxBackoff = .milliseconds(50)
options.proxy = ""
let engine = try await Engine(
    Configuration(
        endpointURL: CommandLine.arguments[2], sdkKey: "key", bundleID: "com.example.game", appVersion: "1.2.3"),
    store: .sqlite(path: CommandLine.arguments[1], synchronous: .normal), transport: HTTPTransport(options).get)

func ask(_ parts: [String]) async throws -> Outcome {
    try await engine.register(parts[1])
    let event = Event(
        parts[3] == "-" ? nil : parts[3], eventID: "event \(parts[0])",
        device: Device(osVersion: "17.2", idfv: parts[2]),
        amount: parts[4] == "-" ? nil : Amount(parts[4]), currency: parts[4] == "-" ? nil : "USD",
        kind: parts[5] == "ad" ? .ad : .iap)
    return try await engine.updateConversionValues(parts[1], event).outcome
}

while let line = readLine() {
    let parts = line.split(separator: " ").map { String($0) }
    var answer: String
    do {
        answer = "\(parts[0]) done \(try await ask(parts))"
    } catch let error as SKANError {
        answer = "\(parts[0]) again \(error.code)"
    }
    FileHandle.standardOutput.write(Data((answer + "\n").utf8))
}
