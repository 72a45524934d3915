import SKANCore
package import SKANSystem

/// A route: the path of requests, and the function that answers them.
package struct HTTPServerRoute {
    /// "GET" or "POST".
    package let method: StaticString
    /// The path of requests. If it ends in `*`, requests may have any path that begins with the part before. If it ends
    /// in a slash, the slash may be missing in a request.
    package let path: StaticString
    /// The name for logs and metrics.
    package let name: StaticString
    /// Whether the route also answers HEAD, like GET; false if a GET changes something.
    private let takesHEAD: Bool
    /// The pool whose threads answer. nil: the connection's thread answers at once, and its other connections wait.
    package let pool: WorkPool?
    /// Called on any of the server's threads, also concurrently.
    package let answer: (HTTPServerRequest) -> HTTPServerAnswer

    package init(
        _ method: StaticString, _ path: StaticString, name: StaticString, takesHEAD: Bool = true,
        pool: WorkPool? = nil, _ answer: @escaping (HTTPServerRequest) -> HTTPServerAnswer
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.takesHEAD = takesHEAD && method.bytes.elementsEqual(get)
        self.pool = pool
        self.answer = answer
    }

    fileprivate func fits(_ path: Bytes) -> Bool {
        let pattern = self.path.bytes
        guard pattern.last == UInt8(ascii: "*") else {
            return path.elementsEqual(pattern) || isFolder && path.elementsEqual(pattern.dropLast())
        }
        return path.starts(with: pattern.dropLast())
    }

    /// Whether the path ends in a slash, and is not the root.
    private var isFolder: Bool { path.utf8CodeUnitCount > 1 && path.bytes.last == UInt8(ascii: "/") }

    fileprivate func takes(_ method: Bytes) -> Bool {
        method.elementsEqual(self.method.bytes) || (takesHEAD && method.elementsEqual(head))
    }
}

/// The routes and callbacks of a server, independent of the HTTP library.
package final class HTTPServerSite: @unchecked Sendable {
    package let routes: [HTTPServerRoute]
    let pools: [WorkPool]
    /// The maximum size of a request's body in bytes.
    package let bodyBytes: Int
    /// Called for each answered request on a thread of the server, with the index of its route (nil if none matches)
    /// and the microseconds it took.
    package let answered: (Int?, HTTPServerRequest, HTTPServerAnswer, UInt64) -> Void
    /// Called on a thread of the server, at most once a minute for each client, with the number of the client's
    /// connections above a limit.
    package let refused: (ConnectionNotes.Note) -> Void

    package init(
        routes: [HTTPServerRoute], pools: [WorkPool] = [], bodyBytes: Int,
        refused: @escaping (ConnectionNotes.Note) -> Void,
        answered: @escaping (Int?, HTTPServerRequest, HTTPServerAnswer, UInt64) -> Void
    ) {
        self.routes = routes
        self.pools = pools
        self.bodyBytes = bodyBytes
        self.refused = refused
        self.answered = answered
    }

    /// `place`: the index of the route; nil if no route has the path. `refusal`: set if no route has both the path and
    /// the method.
    package func route(_ method: Bytes, _ path: Bytes) -> (place: Int?, refusal: HTTPRefusal?) {
        var found: Int?
        for (place, route) in routes.enumerated() where route.fits(path) {
            if route.takes(method) { return (place, nil) }
            found = place
        }
        return (found, found == nil ? .notFound : .methodNotAllowed)
    }
}

private var get: Bytes { ("GET" as StaticString).bytes }
private var head: Bytes { ("HEAD" as StaticString).bytes }
