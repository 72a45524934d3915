internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification

/// A receiver's store, in memory.
struct Shelf {
    private(set) var records: [[UInt8]: [UInt8]] = [:]
    let receiver: PostbackReceiver<ConversionModel>

    init(_ key: SigningKey, _ models: PostbackModels<ConversionModel>) throws(Failure) {
        receiver = PostbackReceiver(keys: try key.keySet(), installs: models, reengagements: PostbackModels([]))
    }

    /// Answers whether it was counted.
    mutating func receive(_ body: [UInt8], at time: Int64) throws(Failure) -> Bool {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: body)
        let postback = try receiver.verified(UnsafeRawBufferPointer(copy))
        var reception = receiver.arrived(postback, from: [], at: time * 1_000_000, try .draw())
        var step = reception.begin()
        while true {
            let key = reception.key().array
            switch step {
            case .save:
                let isNew = records[key] == nil
                if isNew { records[key] = reception.recordBytes().array }
                step = reception.saved(isNew ? .ok : .storeConflict)
            case .load:
                step = (records[key] ?? []).withUnsafeBytes { reception.loaded($0, version: 1) }
            case .done:
                return reception.record.outcome == .counted
            case .fail(let failure):
                throw failure
            }
        }
    }
}
