import CSKAN
import SKAN
import SKANCStore
import Synchronization

/// A store of C whose hooks do what a test says, on whichever thread they run.
final class HandMadeStore: Sendable {
    /// What hooks answer, and say first.
    struct Answer: Sendable {
        var status: Int32
        var words: String?
        var version: UInt64 = 7
    }

    let answer: Mutex<Answer>
    /// Runs before each answer.
    let before: @Sendable () -> Void
    let calls = Atomic(0)
    let finalized = Atomic(0)
    private let report = Mutex<Report?>(nil)

    private struct Report: @unchecked Sendable {
        let function: CStore.ReportFunction
        let context: UnsafeMutableRawPointer
    }

    init(_ answer: Answer = Answer(status: Int32(SKAN_NOT_FOUND)), before: @escaping @Sendable () -> Void = {}) {
        self.answer = Mutex(answer)
        self.before = before
    }

    /// The hooks hold this object until they are finalized.
    func opened(threads: UInt32 = 2, report told: CStore.Report? = nil) throws -> CStore {
        try CStore(threads: threads, report: told) { function, context, out, error in
            report.withLock { $0 = Report(function: function, context: context) }
            out.size = MemoryLayout<skan_store>.size
            out.context = Unmanaged.passRetained(self).toOpaque()
            out.load = { context, _, out, version in
                var byte: UInt8 = 1
                skan_buffer_set(out, &byte, 1)
                return this(context).answered(version)
            }
            out.save = { context, _, _, _, _, version in this(context).answered(version) }
            out.remove = { context, _, _ in this(context).answered(nil) }
            out.finalize = { context in
                this(context).finalized.add(1, ordering: .sequentiallyConsistent)
                context.map { Unmanaged<HandMadeStore>.fromOpaque($0).release() }
            }
            return skan_status(SKAN_OK)
        }
    }

    private func answered(_ version: UnsafeMutablePointer<UInt64>?) -> skan_status {
        calls.add(1, ordering: .sequentiallyConsistent)
        before()
        let answer = answer.withLock { $0 }
        if let words = answer.words, let report = report.withLock({ $0 }) {
            report.function(report.context, answer.status, words)
        }
        version?.pointee = answer.version
        return answer.status
    }
}

private func this(_ context: UnsafeMutableRawPointer?) -> HandMadeStore {
    guard let context else { fatalError("a hook without its context") }
    return Unmanaged<HandMadeStore>.fromOpaque(context).takeUnretainedValue()
}
