import CSKANMicrohttpd
import SKANSystem

/// A request that waits for a thread of a pool or is processed there. Its connection is suspended meanwhile.
final class QueuedRequest: Work {
    private let request: IncomingRequest
    private let method: Bytes
    private let connection: OpaquePointer
    private let site: HTTPServerSite

    /// Suspends the request's connection. `method` must be valid until the connection is resumed.
    init(_ request: IncomingRequest, _ method: Bytes, _ connection: OpaquePointer, _ site: HTTPServerSite) {
        self.request = request
        self.method = method
        self.connection = connection
        self.site = site
        MHD_suspend_connection(connection)
    }

    func perform() { resume(request.answer(method, site)) }

    func giveUp() {
        request.refuse(.busy)
        resume(request.answer(method, site))
    }

    /// Resumes the connection, whose own thread then sends the answer.
    private func resume(_ answer: HTTPServerAnswer) {
        request.ready = answer
        MHD_resume_connection(connection)
    }
}
