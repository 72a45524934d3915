internal import CSKANSystem
package import SKANCore
internal import SKANSystem

package struct PoolSettings {
    /// Of the store, in messages.
    let name: Message
    /// Of connections, at least 1.
    let limit: UInt32
    /// For how long a caller waits for one.
    let timeout: UInt32
    /// Callers that write wait for each other.
    let hasOneWriter: Bool

    package init(name: Message, limit: UInt32, timeoutMilliseconds: UInt32, hasOneWriter: Bool) {
        self.name = name
        self.limit = limit
        timeout = timeoutMilliseconds
        self.hasOneWriter = hasOneWriter
    }
}

/// The connections of one store in a process: lent to one caller each, up to a limit, none of them across a fork.
package final class Pool<Lent: Connection>: ForkedPool {
    private let settings: PoolSettings
    private let connection: Lent.Settings
    private var idle: [Lent] = []

    /// Opens the first connection.
    package init(_ settings: PoolSettings, _ connection: Lent.Settings) throws(Failure) {
        self.settings = settings
        self.connection = connection
        super.init()
        do throws(Failure) {
            giveBack(try Lent(connection, isFirst: true), writes: false)
        } catch {
            giveBack(nil, writes: false)
            close()
            throw error
        }
    }

    override func endIdle() {
        count -= UInt32(idle.count)
        for connection in idle { connection.end() }
        idle.removeAll()
    }

    /// Runs `body` on a connection of this thread's, to write where `writes`; throws after the time-out, or where none
    /// can be opened.
    @inline(__always)
    package func lend<Result>(
        writes: Bool, _ body: (Lent) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let writes = writes && settings.hasOneWriter
        let lent = try take(writes)
        defer { giveBack(lent, writes: writes) }
        return try body(lent)
    }

    private func take(_ writes: Bool) throws(Failure) -> Lent {
        let deadline = millisecondsNow() + Int64(settings.timeout)
        pthread_mutex_lock(&locks.pointee.mutex)
        guard takePlace(writes) else {
            pthread_mutex_unlock(&locks.pointee.mutex)
            throw Failure(
                .store, "\(settings.name): other threads of this process kept it busy for \(settings.timeout) ms")
        }
        var taken = idle.popLast()
        if taken == nil { count += 1 }
        pthread_mutex_unlock(&locks.pointee.mutex)
        if let stale = taken, stale.isStale() {
            stale.end()
            taken = nil
        }
        do throws(Failure) {
            let lent = if let taken { taken } else { try Lent(connection, isFirst: false) }
            lent.deadline = deadline
            return lent
        } catch {
            giveBack(nil, writes: writes)
            throw error
        }
    }

    private func giveBack(_ connection: Lent?, writes: Bool) {
        var connection = connection
        if let broken = connection, broken.isBroken {
            broken.end()
            connection = nil
        }
        pthread_mutex_lock(&locks.pointee.mutex)
        if let connection { idle.append(connection) } else { count -= 1 }
        lent -= 1
        if writes {
            hasWriter = false
            pthread_cond_signal(&locks.pointee.mayWrite)
        }
        pthread_cond_signal(&locks.pointee.mayTake)
        if isForking && lent == 0 { pthread_cond_signal(&locks.pointee.isQuiet) }
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    /// Whether there is a place for this caller; the mutex is held.
    private func takePlace(_ writes: Bool) -> Bool {
        var end: timespec?
        while writes && hasWriter {
            if isTimeOut(&locks.pointee.mayWrite, &end) && hasWriter { return false }
        }
        if writes { hasWriter = true }
        while isForking || (idle.isEmpty && count == settings.limit) {
            guard isTimeOut(&locks.pointee.mayTake, &end) else { continue }
            if !isForking && (!idle.isEmpty || count < settings.limit) { break }
            if writes {
                hasWriter = false
                pthread_cond_signal(&locks.pointee.mayWrite)
            }
            return false
        }
        lent += 1
        return true
    }

    /// Waits for a condition, until `end`, which the first wait sets.
    private func isTimeOut(_ condition: UnsafeMutablePointer<pthread_cond_t>, _ end: inout timespec?) -> Bool {
        var time = timespec()
        if let end {
            time = end
        } else {
            clock_gettime(CLOCK_MONOTONIC, &time)
            let nanoseconds = time.tv_nsec + Int(settings.timeout) * 1_000_000
            time.tv_sec += nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            end = time
        }
        return pthread_cond_timedwait(condition, &locks.pointee.mutex, &time) == ETIMEDOUT
    }
}
