import CSKANSystem

/// Makes a socket that other programs do not inherit and whose calls do not block. Returns -1 and sets errno if it
/// fails.
func newSocket(_ family: Int32, _ kind: __socket_type) -> Int32 {
    socket(family, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
}

/// The maximum number of connections that wait to be accepted.
var longestQueue: Int32 { 1024 }
