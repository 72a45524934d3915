import CSKANSystem
import SKANCore
import SKANEngine
import SKANSystem

extension InstallState {
    /// Reads a record of either protocol.
    init(record: Bytes) throws(Failure) {
        self.init(.skan4)
        try Record.read(record, isOwn: false, into: &self)
    }

    /// nil if the record can be read.
    static func failure(reading record: Bytes) -> Failure? {
        do throws(Failure) {
            _ = try InstallState(record: record)
            return nil
        } catch {
            return error
        }
    }

    /// Calls `body` with the details document, on one line.
    func withDetails<Result>(_ body: (Bytes) -> Result) throws(Failure) -> Result {
        let text = try detailsText()
        defer { free(text.start) }
        return body(Bytes(start: text.start, count: text.count))
    }

    var bytes: [UInt8] {
        var state = self
        return [UInt8](unsafeUninitializedCapacity: Record.sizeBound(state)) { memory, count in
            if let base = memory.baseAddress { count = Record.write(&state, isOwn: false, to: base) }
        }
    }

    /// Makes the record of an install that the store does not have yet.
    func firstRecord() throws(Failure) -> [UInt8] {
        var rule = Importing(self)
        var transaction = Transaction(on: InstallState(conversion.protocolVersion))
        let step = transaction.loaded(nil, version: 0) { state throws(Failure) in try rule.run(on: &state) }
        switch step {
        case .save:
            return [UInt8](unsafeUninitializedCapacity: transaction.recordBound) { memory, count in
                if let base = memory.baseAddress { count = transaction.writeRecord(to: base) }
            }
        case .fail(let failure):
            throw failure
        case .load, .done:
            throw Failure(.misuse, "nothing is to be saved")
        }
    }
}
