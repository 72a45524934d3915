internal import CSKANMicrohttpd
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension ServerTraffic {
    /// The library is about to refuse a request of the calling thread by itself: with a page of its own, which it sends
    /// twice where the length of a body has no meaning or cookies do not fit into its memory, and with 500 where a line
    /// between chunks fills that. It does not say whose request that is. All that are seen to be unreadable are refused
    /// here, and the library has nothing to send on.
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
    /// Why its request cannot be read; nil where nothing is known against what has come of it.
    fileprivate var unreadable: HTTPRefusal? {
        guard let reading else { return nil }
        if reading.isBegun { return reading.isChunked && hasLongLine ? .badRequest : nil }
        // Whole headers that the library has not handed on have a length that it cannot read, or cookies of which it
        // cannot make a copy.
        guard skan_mhd_header_size(connection) > 0 else { return nil }
        guard let length = skan_mhd_content_length(connection) else { return .headersTooLarge }
        let digits = Bytes(start: length, count: strlen(length))
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return .badRequest }
        return digits.count < 19 ? .headersTooLarge : .tooLarge
    }

    /// Whether more has come since the last chunk than a line with a chunk's size and its extensions may have.
    private var hasLongLine: Bool {
        guard let read, read > readBefore else { return false }
        return read - readBefore > 512
    }
}
