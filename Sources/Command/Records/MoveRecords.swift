package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// Moves all records from one store to another. Each record is saved in `to`, read back and compared; only then is it
/// removed from `from`, unless it has changed there.
///
/// Models are moved first, before their users, and entries of the outbox last, after their postbacks. So a server on
/// `to` never finds a user without their model, or an entry without its postback.
///
/// `keeps`: whether records stay in `from`. `replaces`: whether different records in `to` are overwritten.
@export(interface)
package func moveRecords(from: OpenStore, to: OpenStore, keeps: Bool, replaces: Bool) -> ExitCode {
    let move = RecordMove(from: from, to: to, keeps: keeps, replaces: replaces)
    let copies = RecordBatch()
    let walk = StoreWalk(from, first: .model, last: .outbox, printsData: false) { moveBatch($0, move, copies) }
    return move.end(walk)
}

/// Saves a batch in `to` in one round trip and reads it back in another, into `copies`. Returns false if `to` accepts
/// no more.
private func moveBatch(_ sources: RecordBatch, _ move: RecordMove, _ copies: RecordBatch) -> Bool {
    let places = placesToMove(sources, move)
    let before = move.failed
    move.to.calm()
    copies.removeAll()
    for place in places { _ = copies.add(sources.key(place)) }
    var items = places.map { SaveItem(key: sources.key($0), record: sources.record($0), expected: 0) }
    items.withUnsafeMutableBufferPointer { move.to.save($0) }
    copies.load(from: move.to)
    for (index, place) in places.enumerated() {
        if Ending.isEnding || move.areOne { break }
        var journey = RecordJourney(
            move, sources.key(place), source: sources.loaded(place), copy: copies.loaded(index),
            ownVersion: items[index].version)
        journey.go(saved: items[index].status)
    }
    return !move.areOne && (items.isEmpty || move.failed - before < UInt64(items.count))
}

/// Returns the indices of the loaded records, except those of outbox entries whose postbacks could not be moved.
private func placesToMove(_ sources: RecordBatch, _ move: RecordMove) -> [Int] {
    let postbacks = RecordBatch()
    for index in 0..<sources.count {
        if let name = OutboxEntryName(sources.key(index)) { _ = name.postback.withUnsafeBytes { postbacks.add($0) } }
    }
    postbacks.load(from: move.to)
    let left = (0..<postbacks.count).filter { postbacks.status($0) != .ok && isThere(postbacks.key($0), move.from) }
    return (0..<sources.count).filter { index in
        guard sources.status(index) == .ok else { return false }
        guard !left.isEmpty, let name = OutboxEntryName(sources.key(index)),
            left.contains(where: { postbacks.key($0).elementsEqual(name.postback) })
        else { return true }
        move.fail(sources.key(index), "stays, for its postback could not be moved")
        return false
    }
}

/// Whether a store has a record under this key, or may have one.
private func isThere(_ key: Bytes, _ store: OpenStore) -> Bool { store.load(key).status != .notFound }
