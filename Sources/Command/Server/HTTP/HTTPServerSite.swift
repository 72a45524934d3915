internal import SKANCore
package import SKANSystem

/// A route: the path of a request and what answers it.
package struct HTTPServerRoute {
    /// "GET" or "POST".
    package let method: StaticString
    /// The whole path, or its beginning, up to a `*` at the end.
    package let path: StaticString
    /// The name for logs and metrics.
    package let name: StaticString
    /// HEAD is asked as GET: whoever asks changes nothing by it.
    private let takesHEAD: Bool
    /// The pool that calls it; nil: the thread that has the connection calls it at once, while others wait for that
    /// thread.
    package let pool: WorkPool?
    /// Answers a request. Any of the server's threads calls it, several at once.
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
        guard pattern.last == UInt8(ascii: "*") else { return path.elementsEqual(pattern) }
        return path.starts(with: pattern.dropLast())
    }

    fileprivate func takes(_ method: Bytes) -> Bool {
        method.elementsEqual(self.method.bytes) || (takesHEAD && method.elementsEqual(head))
    }
}

/// What a server answers, whatever library it is made with.
package final class HTTPServerSite: @unchecked Sendable {
    package let routes: [HTTPServerRoute]
    /// The pools of the routes.
    let pools: [WorkPool]
    /// The greatest size of a request's body.
    package let bodyBytes: Int
    /// Told of each request that was answered, on a thread of the server, with the place of its route, nil where none
    /// fits, and how many microseconds it took.
    package let answered: (Int?, HTTPServerRequest, HTTPServerAnswer, UInt64) -> Void
    /// Told once a minute, for each client, how many of its connections were above a limit, on a thread of the server.
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

    /// The index of a request's route, and the refusal if no route has the path, or none with this path has the method.
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
