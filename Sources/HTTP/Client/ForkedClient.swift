internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// The part of a client that makes it safe to fork. A fork waits until the client's thread is outside libcurl.
package class ForkedClient: ForkMember {
    /// Held by the client's thread while it is inside libcurl. Must be taken before `lock`.
    let work = Lock()
    /// Guards the state that threads share.
    let lock = Lock()

    /// Does nothing, because no part of a client has to end before a fork.
    package final func announceFork() {}

    package final func awaitQuiet() {}

    package final func beforeFork() {
        work.take()
        lock.take()
    }

    package final func afterFork(isChild: Bool) {
        if isChild { forgetParents() }
        lock.give()
        work.give()
    }

    /// Runs in the child of a fork, with both locks held.
    func forgetParents() {}
}

/// Throws if libcurl cannot be used.
func prepareLibcurl() throws(Failure) {
    pthread_once(&once, prepare)
    if let unusable { throw Failure(.transport, "libcurl: \(unusable)") }
}

private nonisolated(unsafe) var once = pthread_once_t()
/// nil if libcurl is usable.
private nonisolated(unsafe) var unusable: Message?

private func prepare() {
    let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    if code != CURLE_OK {
        unusable = Message(curl_easy_strerror(code))
    } else if curl_version_info(CURLVERSION_FIRST).pointee.features & CURL_VERSION_ASYNCHDNS == 0 {
        unusable = "it was built without asynchronous name look-ups, which no time-out would end"
    }
}
