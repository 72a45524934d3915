import CSKANMicrohttpd
import CSKANSystem
import SKANCore
import SKANSystem

extension ServerTraffic {
    /// Called when the library itself is about to refuse a request on the calling thread. It would send its own page:
    /// twice if a Content-Length is invalid or cookies do not fit into its memory, and with status 500 if a line
    /// between chunks fills that memory. It does not say which request it means, so every unreadable request of the
    /// thread is refused here. Their connections are then shut for sending, so that the library's page is not sent.
    func refuseUnreadable() {
        for peer in peers.ofThisThread {
            guard let refusal = peer.unreadable else { continue }
            bidFarewell(peer, refusal)
            peer.wasAnswered = true
            peer.reading?.isAnswered = true
            peer.reading = nil
            shutdown(peer.socket, Int32(SHUT_WR))
        }
    }
}

extension ServerPeer {
    /// The reason why the peer's request cannot be read; nil if the request seems readable so far.
    fileprivate var unreadable: HTTPRefusal? {
        guard let reading else { return nil }
        if reading.isBegun { return reading.isChunked && hasLongLine ? .badRequest : nil }
        // If the headers are complete but the library has not delivered them, it cannot read their Content-Length, or
        // cannot copy their cookies.
        guard skan_mhd_header_size(connection) > 0 else { return nil }
        guard let length = skan_mhd_content_length(connection) else { return .headersTooLarge }
        let digits = Bytes(start: length, count: strlen(length))
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return .badRequest }
        return digits.count < 19 ? .headersTooLarge : .tooLarge
    }

    /// Whether more bytes have arrived since the last chunk than a chunk's size line with its extensions may have.
    private var hasLongLine: Bool {
        guard let read, read > readBefore else { return false }
        return read - readBefore > 512
    }
}
