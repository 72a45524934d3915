import CSKANSystem
import SKANCore

/// The maximum number of open files besides connections: those of the store and the log.
private var others: rlim_t { 128 }

/// The minimum number of files that a server needs: for the stores, the log and a few connections.
package var fewestFiles: UInt64 { 64 }

/// The process's limit of open files, if it is too low; otherwise nil.
package func tooFewFiles() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_max < fewestFiles ? UInt64(limit.rlim_max) : nil
}

/// Raises the process's limit of open files for this many connections. If that is not allowed, returns the possible
/// number of connections, and the limit of files.
func allowFiles(for connections: UInt32) -> (connections: UInt32, files: UInt64)? {
    let ofFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    let needed = rlim_t(connections) + others
    var limit = rlimit()
    guard getrlimit(ofFiles, &limit) == 0, limit.rlim_cur < needed else { return nil }
    limit.rlim_cur = min(limit.rlim_max, needed)
    if setrlimit(ofFiles, &limit) != 0 || limit.rlim_cur >= needed { return nil }
    let allowed = limit.rlim_cur > 2 * others ? limit.rlim_cur - others : (limit.rlim_cur + 1) / 2
    return (UInt32(truncatingIfNeeded: allowed), UInt64(limit.rlim_cur))
}
