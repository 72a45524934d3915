import CSKANSupport

extension InstallTurns {
    /// Takes the turn of an install, and blocks the thread until this call has it or has waited too long.
    package func take(_ key: UnsafeRawBufferPointer) -> InstallTurn {
        let install = install(key)
        if let turn = takeIfFree(install, on: support_thread_number()) { return turn }
        let call = TurnWaiter(install, until: deadline, thread: support_thread_number())
        let signal = TurnSignal()
        call.wake = { signal.send() }
        if join(call) { wait(call, signal) }
        return call.turn
    }

    private func wait(_ call: TurnWaiter, _ signal: TurnSignal) {
        let part = part(of: call.install)
        part.acquire()
        while call.isWaiting {
            let pause = call.wasOvertaken ? InstallTurns.shortPause : InstallTurns.pause
            part.await(signal.pointer, until: min(call.deadline, support_ticks() &+ pause))
            guard call.isWaiting else { break }
            part.pointee.claim(call, at: support_ticks())
            guard call.isWaiting else { break }
            let ended = part.pointee.endWaits(for: call.install, at: support_ticks())
            part.release()
            for waiter in ended { waiter.wake() }
            part.acquire()
        }
        part.release()
    }
}

/// The signal that wakes a waiting thread. It is freed once neither the waiter nor the sender uses it.
private final class TurnSignal {
    let pointer = UnsafeMutablePointer<support_signal>.allocate(capacity: 1)

    init() {
        pointer.initialize(to: support_signal())
        support_signal_create(pointer)
    }

    deinit {
        support_signal_destroy(pointer)
        pointer.deallocate()
    }

    func send() { support_signal_send(pointer) }
}
