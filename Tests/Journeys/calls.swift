// A game server that makes many calls at once: calls URL PLAYERS CALLS, as calls.py.
import Foundation
import SKAN
import SKANHTTP

/// What became of the calls.
actor Tally {
    private(set) var answered: [Int]
    private(set) var lost: [String: Int] = [:]
    private(set) var isOver = false

    init(players: Int) { answered = Array(repeating: 0, count: players) }

    func noteAnswer(_ player: Int) { answered[player] += 1 }

    func noteLoss(_ error: any Error) {
        let cause = (error as? SKANError)?.underlying.map { ": \($0)" } ?? ""
        lost["\(error)\(cause)", default: 0] += 1
    }

    func end() { isOver = true }
}

let calls = Int(CommandLine.arguments[3]) ?? 0
let players = Int(CommandLine.arguments[2]) ?? 0
let configuration = Configuration(
    endpointURL: CommandLine.arguments[1], sdkKey: "key", bundleID: "com.example.game", appVersion: "1.2.3")
let engine = try Engine(configuration, transport: HTTPTransport().get)
let device = Device(osVersion: "17.2", idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
let tally = Tally(players: players)

func play(_ player: Int) async throws {
    try await engine.register("player-\(player)")
    var number = 0
    while calls == 0 ? await !tally.isOver : number < calls {
        number += 1
        do {
            let event = Event("purchase", eventID: "order-\(number)", device: device)
            try await engine.updateConversionValues("player-\(player)", event)
            await tally.noteAnswer(player)
        } catch {
            await tally.noteLoss(error)
        }
    }
}

let game = Task {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for player in 0..<players { group.addTask { try await play(player) } }
        try await group.waitForAll()
    }
}
// On a thread of its own: it waits where no task may.
let lines = AsyncStream { continuation in
    Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
    }
}
for await _ in lines {
    let before = await tally.answered
    while await !zip(tally.answered, before).allSatisfy(>) { try await Task.sleep(for: .milliseconds(10)) }
    FileHandle.standardOutput.write(Data("ready\n".utf8))
}
await tally.end()
try await game.value
let (answered, lost) = await (tally.answered.reduce(0, +), tally.lost)
for (why, count) in lost { print("\(count) times: \(why)") }
print("\(answered) answered, \(lost.values.reduce(0, +)) lost")
