internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// What forks know of a client. They wait until its thread is out of libcurl.
package class ForkedClient {
    /// Held by the client's thread while it is in libcurl; taken before `lock`.
    let work = Lock()
    /// Of what threads share.
    let lock = Lock()
    fileprivate var next: ForkedClient?

    /// Throws where libcurl cannot be used.
    init() throws(Failure) {
        pthread_once(&once, prepare)
        if let unusable { throw Failure(.transport, "libcurl: \(unusable)") }
    }

    final func join() {
        pthread_mutex_lock(&listLock)
        next = list
        list = self
        pthread_mutex_unlock(&listLock)
    }

    final func leave() {
        pthread_mutex_lock(&listLock)
        if list === self {
            list = next
        } else {
            var before = list
            while let client = before, client.next !== self { before = client.next }
            before?.next = next
        }
        next = nil
        pthread_mutex_unlock(&listLock)
    }

    /// In the child, with both locks held.
    func forgetParents() {}
}

/// Around the list, and in forks.
private nonisolated(unsafe) var listLock = pthread_mutex_t()
private nonisolated(unsafe) var list: ForkedClient?
private nonisolated(unsafe) var once = pthread_once_t()
/// Why libcurl is.
private nonisolated(unsafe) var unusable: Message?

private func prepare() {
    let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    if code != CURLE_OK {
        unusable = Message(curl_easy_strerror(code))
    } else if curl_version_info(CURLVERSION_FIRST).pointee.features & CURL_VERSION_ASYNCHDNS == 0 {
        unusable = "it was built without asynchronous name look-ups, which no time-out would end"
    }
    pthread_atfork(beforeFork, afterFork, afterForkInChild)
}

private func beforeFork() {
    pthread_mutex_lock(&listLock)
    var each = list
    while let client = each {
        client.work.take()
        client.lock.take()
        each = client.next
    }
}

private func afterFork() {
    var each = list
    while let client = each {
        client.lock.give()
        client.work.give()
        each = client.next
    }
    pthread_mutex_unlock(&listLock)
}

private func afterForkInChild() {
    var each = list
    while let client = each {
        client.forgetParents()
        each = client.next
    }
    afterFork()
}
