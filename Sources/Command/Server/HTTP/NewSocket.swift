import CSKANSystem

/// A socket that no program inherits and no call waits for; -1 and errno.
func newSocket(_ family: Int32, _ kind: __socket_type) -> Int32 {
    socket(family, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
}

/// The number of connections that may wait to be accepted.
var longestQueue: Int32 { 1024 }
