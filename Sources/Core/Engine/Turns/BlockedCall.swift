import CSKANSupport

extension InstallTurns {
    /// Takes the turn of an install, and blocks the thread until this call has it or has waited too long.
    package func take(_ key: UnsafeRawBufferPointer) -> InstallTurn {
        let install = install(key)
        if let turn = takeIfFree(install, on: support_thread_number()) { return turn }
        let call = BlockedCall(install, until: deadline)
        if join(call) { wait(call) }
        return call.turn
    }

    private func wait(_ call: BlockedCall) {
        let part = part(of: call.install)
        part.acquire()
        while call.isWaiting {
            part.await(call.signal, until: min(call.deadline, support_ticks() &+ InstallTurns.pause))
            guard call.isWaiting else { break }
            let ended = part.pointee.endWaits(for: call.install, at: support_ticks())
            part.release()
            for waiter in ended { waiter.wake() }
            part.acquire()
        }
        part.release()
    }
}

/// A call whose thread waits.
private final class BlockedCall: TurnWaiter, @unchecked Sendable {
    let signal = UnsafeMutablePointer<support_signal>.allocate(capacity: 1)

    init(_ install: UInt64, until deadline: Int64) {
        signal.initialize(to: support_signal())
        support_signal_create(signal)
        super.init(install, until: deadline, thread: support_thread_number())
    }

    deinit {
        support_signal_destroy(signal)
        signal.deallocate()
    }

    override func wake() { support_signal_send(signal) }
}
