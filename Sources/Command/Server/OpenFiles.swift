internal import CSKANSystem
internal import SKANCore

/// The greatest number of files open beside those of connections: the store's and the log's.
private var others: rlim_t { 128 }

/// The fewest files that a server needs to serve: the stores', the log's and a few connections.
package var fewestFiles: UInt64 { 64 }

/// How many files the process may open at most, where that is too few.
package func tooFewFiles() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_max < fewestFiles ? UInt64(limit.rlim_max) : nil
}

/// Raises the process's limit of open files for this many connections. If that is not allowed, returns the number of
/// connections that are possible, and the limit of files.
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
