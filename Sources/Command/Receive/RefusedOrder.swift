import SKANCommandOutput
import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// The refused postbacks of a store in the order of their arrival. Takes about 100 bytes of memory for each.
struct RefusedOrder {
    private var found: [(received: Int64, key: [UInt8])] = []
    /// The number of records that could not be read. A message has named each of them.
    private(set) var damaged: UInt64 = 0

    var count: Int { found.count }

    init(_ store: OpenStore, _ filter: RefusedFilter) throws(CommandEnd) {
        var found: [(received: Int64, key: [UInt8])] = []
        var damaged: UInt64 = 0
        let walk = StoreWalk(store, of: [.refused], printsData: false) { key, bytes, version in
            do throws(Failure) {
                let refused = try RefusedPostback(key, bytes, version: version)
                if filter.takes(refused) { found.append((refused.record.received, refused.key)) }
            } catch {
                damaged += 1
                complain(Message(utf8: [UInt8](key)), error.message)
            }
        }
        guard walk.isComplete else { throw .done(.found) }
        self.damaged = damaged + walk.failed
        found.sort { $0.received != $1.received ? $0.received < $1.received : $0.key.lexicographicallyPrecedes($1.key) }
        self.found = found
    }

    /// Calls `visit` with the postbacks, a batch at a time. Postbacks that were removed meanwhile are left out. Stops
    /// when `visit` returns false, or the command is ending.
    mutating func visit(_ store: OpenStore, _ visit: ([RefusedPostback]) -> Bool) {
        let batch = RecordBatch()
        var place = 0
        while place < found.count && !Ending.isEnding {
            batch.removeAll()
            while place < found.count, found[place].key.withUnsafeBytes({ batch.add($0) }) { place += 1 }
            batch.load(from: store)
            var postbacks: [RefusedPostback] = []
            for index in 0..<batch.count {
                switch batch.status(index) {
                case .ok:
                    let read = try? RefusedPostback(
                        batch.key(index), batch.record(index), version: batch.version(index))
                    if let read { postbacks.append(read) }
                case .notFound: break
                default:
                    damaged += 1
                    complain(Message(utf8: [UInt8](batch.key(index))), "could not be read: \(store.words)")
                }
            }
            if !visit(postbacks) { return }
        }
    }
}
