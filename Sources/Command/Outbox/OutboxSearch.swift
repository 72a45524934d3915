import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// Searches the store for entries that this process does not know: those left by earlier runs or by processes that
/// ended, and those that are to be tried again.
final class OutboxSearch {
    private let context: OutboxContext
    private let batch = RecordBatch()
    private var cursor: [UInt8] = []
    private var isUnderWay = false
    /// The time of the next search, on the monotonic clock of `millisecondsNow`.
    private var next: Int64 = 0
    private var deadSeen: UInt64 = 0

    init(_ context: OutboxContext) { self.context = context }

    /// The time of the next step, on the clock of `millisecondsNow`; 0 during a search, since the next step is due at
    /// once.
    var nextStep: Int64 { isUnderWay ? 0 : next }

    /// Examines one page of entries. A store that keeps its keys in order lists only the keys of entries.
    func step() {
        if !isUnderWay {
            isUnderWay = true
            deadSeen = 0
            context.traffic.beginSearch()
        }
        guard let page = turnPage() else {
            context.log("outbox", "the store's keys could not be listed")
            end(pause: storePause / 1000)
            return
        }
        lookThrough(page)
        guard cursor.isEmpty else { return }
        context.counts.noteDead(deadSeen)
        end(pause: context.settings.search * 1000)
    }

    /// `pause`: the time until the next search, in milliseconds.
    private func end(pause: Int64) {
        isUnderWay = false
        next = millisecondsNow() + pause
        cursor = []
    }

    /// Returns the next page of keys, each ended by a NUL; nil if they could not be listed.
    private func turnPage() -> [UInt8]? {
        var page: [UInt8] = []
        var following: [UInt8] = []
        let prefix = OutboxEntryName.prefix
        do throws(Failure) {
            try cursor.withBytes { cursor throws(Failure) in
                try context.store.records.list(beginningWith: prefix.bytes, after: cursor) { keys, cursor in
                    page = [UInt8](keys)
                    following = [UInt8](cursor)
                    return true
                }
            }
        } catch {
            return nil
        }
        cursor = following
        return page
    }

    private func lookThrough(_ page: [UInt8]) {
        batch.removeAll()
        for key in page.split(separator: 0) {
            key.withUnsafeBytes { key in
                if OutboxEntryName(key) != nil { _ = batch.add(key) }
            }
            if batch.count == atOnce { lookAtBatch() }
        }
        lookAtBatch()
    }

    private func lookAtBatch() {
        batch.load(from: context.store)
        let now = support_now()
        for index in 0..<batch.count where batch.status(index) == .ok {
            guard let entry = OutboxEntry(batch.record(index), under: batch.key(index)) else { continue }
            if entry.state == .dead {
                deadSeen += 1
            } else {
                context.traffic.note([UInt8](batch.key(index)), due: context.settings.due(of: entry, now: now))
            }
        }
        batch.removeAll()
    }
}

private var atOnce: Int { 64 }
