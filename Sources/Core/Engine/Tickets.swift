import SKANCore
import Synchronization

/// Rules, "Tickets": they order requests. Each is greater than every earlier one of the engine and than the install's
/// newest applied one, and not below the clock's microseconds.
package struct Tickets: ~Copyable {
    private let last = Atomic<UInt64>(0)

    package init() {}

    package borrowing func next(after newest: UInt64, now: Int64) throws(Failure) -> UInt64 {
        var previous = last.load(ordering: .relaxed)
        while true {
            let ticket = max(UInt64(max(now, 0)), previous &+ 1, newest &+ 1)
            guard ticket <= UInt64(Int64.max), newest < UInt64(Int64.max) else {
                throw Failure(.clock, "clock: no ticket is left, the last one was 2^63 - 1 microseconds")
            }
            let (isExchanged, found) = last.weakCompareExchange(
                expected: previous, desired: ticket, ordering: .relaxed)
            if isExchanged { return ticket }
            previous = found
        }
    }
}
