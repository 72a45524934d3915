import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANEngine
import SKANPostbackReceiving
import SKANStorePool
import SKANSystem

/// Rules, "Receiving postbacks": performs the operations that the receptions of many postbacks request, in as few calls
/// of the store as their keys allow. Copies of one postback are stored one after the other, in order.
final class ArrivalStoring {
    private let store: OpenStore
    private let keys = RecordBatch()
    private var records = ByteBuffer(capacity: 65_536)

    init(_ store: OpenStore) { self.store = store }

    /// Afterwards each postback is in the store or has a `failure`.
    func store(_ arrived: [ArrivedPostback]) {
        var left = arrived
        while !left.isEmpty {
            let taken = takeDistinct(&left)
            for each in taken { each.reception.begin() }
            run(taken)
        }
    }

    /// Takes the first postback of each key out of `left`; others with the same key stay there.
    private func takeDistinct(_ left: inout [ArrivedPostback]) -> [ArrivedPostback] {
        var taken: [ArrivedPostback] = []
        var others: [ArrivedPostback] = []
        keys.removeAll()
        for each in left {
            if addKey(each.reception.key()) { taken.append(each) } else { others.append(each) }
        }
        left = others
        return taken
    }

    /// Takes all postbacks through their steps in rounds: each round performs the next step of every postback that is
    /// not done.
    private func run(_ taken: [ArrivedPostback]) {
        var active = taken
        while !active.isEmpty {
            saveAll(active)
            loadAll(active)
            active = active.filter { $0.goesOn }
        }
    }

    private func saveAll(_ active: [ArrivedPostback]) {
        keys.removeAll()
        records.removeAll()
        var saving: [ArrivedPostback] = []
        var ranges: [Range<Int>] = []
        for each in active {
            // A postback that was refused meanwhile may now have the same key as another; it is saved in the next
            // round.
            guard case .save = each.reception.next(), addKey(each.reception.key()) else { continue }
            saving.append(each)
            ranges.append(addRecord(each.reception.recordBytes()))
        }
        if saving.isEmpty { return }
        var items = ranges.enumerated().map { index, range in
            SaveItem(key: keys.key(index), record: records.lent(range), expected: 0)
        }
        items.withUnsafeMutableBufferPointer { store.save($0) }
        for (index, each) in saving.enumerated() { each.reception.saved(items[index].status) }
    }

    /// Returns false if the batch has the key already.
    private func addKey(_ key: borrowing ByteBuffer) -> Bool { key.withBytes { keys.add($0) } }

    private func addRecord(_ record: borrowing ByteBuffer) -> Range<Int> {
        let start = records.count
        records.append(record)
        return start..<records.count
    }

    private func loadAll(_ active: [ArrivedPostback]) {
        keys.removeAll()
        var loading: [ArrivedPostback] = []
        var longest: UInt32 = 0
        for each in active {
            guard case .load(let pause) = each.reception.next(), addKey(each.reception.key()) else { continue }
            loading.append(each)
            longest = max(longest, pause)
        }
        if loading.isEmpty { return }
        if longest > 0 { support_pause(longest) }
        keys.load(from: store)
        for (index, each) in loading.enumerated() {
            switch keys.status(index) {
            case .ok: each.reception.loaded(keys.record(index), version: keys.version(index))
            case .notFound: each.reception.loaded(nil, version: 0)
            default: each.reception.loadFailed()
            }
        }
    }
}

extension ArrivedPostback {
    /// Whether another step follows. If none does, sets `failure`.
    fileprivate var goesOn: Bool {
        if case .done = reception.next() {
            failure = reception.failure
            return false
        }
        return true
    }
}
