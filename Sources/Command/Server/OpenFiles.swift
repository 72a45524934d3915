import CSKANSystem
import SKANCore

/// The number of open files reserved for everything but connections, such as the store and the log.
private var others: rlim_t { 128 }

/// The minimum number of files that a server needs: for the stores, the log and a few connections.
package var fewestFiles: UInt64 { 64 }

/// Returns the process's hard limit of open files if it is too low for a server; otherwise nil.
package func tooFewFiles() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_max < fewestFiles ? UInt64(limit.rlim_max) : nil
}

/// Raises the process's limit of open files so that it may have this many connections. If the system does not allow
/// that, returns the number of connections that is possible and the limit of files.
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
