import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// Walks the users of skan serve in a store.
enum UserWalk {
    /// Calls `body` with each user and the time of the user's last request in Unix seconds, until `body` returns false
    /// or the command is ending. Returns whether the end was reached.
    static func walk(
        _ store: OpenStore, _ body: (RecordBatch, Int, borrowing Conversion, _ last: Int64) -> Bool
    ) throws(CommandEnd) -> Bool {
        var listing = try StoreListing(store)
        let batch = RecordBatch()
        repeat {
            try listing.next(into: batch, beginningWith: "v")
            if Ending.isEnding { return false }
            batch.load(from: store)
            for index in 0..<batch.count where batch.status(index) == .ok && ServedUser(batch.key(index)) != nil {
                var state = InstallState(.skan4)
                do throws(Failure) { try Record.read(batch.record(index), isOwn: false, into: &state) } catch {
                    continue
                }
                guard let last = state.conversion.last else { continue }
                let isUser = state.tellsCountsOnly || state.conversion.protocolVersion == .skan3
                if isUser, !body(batch, index, state.conversion, last) { return false }
            }
        } while batch.count > 0
        return true
    }
}

/// The number of users who began with each model.
struct ModelUsers: Sendable {
    private(set) var counts: [(version: SHA256, users: UInt64)] = []

    /// Users of further models are not counted.
    private static var most: Int { 1024 }

    mutating func add(_ conversion: borrowing Conversion) {
        guard let model = conversion.model else { return }
        if let place = counts.firstIndex(where: { model.isOf($0.version) }) {
            counts[place].users += 1
        } else if counts.count < ModelUsers.most {
            counts.append((model.version, 1))
        }
    }

    subscript(version: SHA256) -> UInt64 { counts.first { $0.version == version }?.users ?? 0 }
}
