package import SKANCommandOutput
package import SKANCommandStores
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// Moves all records of a store to another. Each is saved there, read back, compared, and only then removed here, if it
/// is unchanged.
///
/// `keeps`: the records of `from`; `replaces`: other records of `to`.
package func moveRecords(from: OpenStore, to: OpenStore, keeps: Bool, replaces: Bool) -> ExitCode {
    let move = RecordMove(from: from, to: to, keeps: keeps, replaces: replaces)
    let copies = RecordBatch()
    let walk = StoreWalk(from, printsData: false) { moveBatch($0, move, copies) }
    return move.end(walk)
}

/// First saves of all in one round trip, and one to read them back: `copies`, what `to` has. False where it would take
/// no more.
private func moveBatch(_ sources: RecordBatch, _ move: RecordMove, _ copies: RecordBatch) -> Bool {
    let before = move.failed
    let places = (0..<sources.count).filter { sources.status($0) == .ok }
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
