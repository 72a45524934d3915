internal import CSKANCurl
internal import SKANCore
internal import SKANSystem

/// A libcurl easy handle, lent to one request at a time.
final class EasyHandle {
    let curl: UnsafeMutableRawPointer
    /// The buffer for libcurl's error text, of CURL_ERROR_SIZE bytes.
    let words: UnsafeMutablePointer<CChar>

    /// Returns nil if there is no memory.
    convenience init?() {
        guard let curl = curl_easy_init() else { return nil }
        self.init(curl)
    }

    private init(_ curl: UnsafeMutableRawPointer) {
        self.curl = curl
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// Whether libcurl reports when it sends a request on an existing connection.
    static var tellsOfRequests: Bool { SKAN_CURL_TELLS_OF_REQUESTS != 0 }

    func end() { curl_easy_cleanup(curl) }

    deinit { words.deallocate() }

    /// 0 if there is no answer.
    var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// The `errno` of the most recent failure to connect.
    var systemError: Int { number(CURLINFO_OS_ERRNO) }

    /// Whether any byte of the request was sent in this attempt.
    var hasSent: Bool { number(CURLINFO_REQUEST_SIZE) > 0 }

    /// Whether the other side does not use TLS, or refused the handshake.
    var refusesTLS: Bool { isTLSRefusal(Message(words)) }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        return skan_curl_get_number(curl, info, &number) == CURLE_OK ? number : 0
    }

    /// Returns libcurl's error text. If that may contain more than the host, such as a proxy's password or a part of
    /// the URL, returns the general text of the error code instead.
    func words(for code: CURLcode) -> Message {
        let found = Message(words)
        let telling: StaticString = "?@=&\r\n"
        let isTelling = found.utf8.contains { byte in
            (0..<telling.utf8CodeUnitCount).contains { telling.utf8Start[$0] == byte }
        }
        return found.utf8.isEmpty || isTelling ? Message(curl_easy_strerror(code)) : found
    }

    /// Resets the handle and sets the options that all requests share. libcurl gives up when it has repeated a request
    /// five times on other connections; without a reset, this count would go on from one request to the next.
    func reset(_ settings: HTTPSettings) -> CURLcode {
        curl_easy_reset(curl)
        var options = EasyOptions(curl)
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(skan_curl_set_web_protocols)
        options.set(skan_curl_set_quick_exit)
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_HTTP09_ALLOWED, 0)
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        options.set(CURLOPT_USERAGENT, "libskan-http")
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.caFile {
            options.set(CURLOPT_CAINFO, file)
            options.set(CURLOPT_CAPATH, nil)
        }
        if let proxy = settings.proxy { options.set(CURLOPT_PROXY, proxy) }
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectTimeout))
        return options.code
    }
}
