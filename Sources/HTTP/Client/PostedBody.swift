internal import CSKANCurl
internal import SKANSystem

/// The body of a POST. Its address does not change while libcurl uses it.
final class PostedBody {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let headers: UnsafeMutablePointer<curl_slist>?

    init(json: [UInt8]) {
        bytes = .allocate(capacity: max(json.count, 1))
        _ = bytes.initialize(from: json)
        count = json.count
        headers = curl_slist_append(nil, "Content-Type: application/json")
    }

    private let count: Int

    deinit {
        bytes.deallocate()
        curl_slist_free_all(headers)
    }

    func set(in options: inout EasyOptions) {
        guard let base = bytes.baseAddress, let headers else { return options.set { _ in CURLE_OUT_OF_MEMORY } }
        options.set(CURLOPT_POST, 1)
        options.set(CURLOPT_POSTFIELDSIZE, count)
        options.set(CURLOPT_POSTFIELDS, pointer: base)
        options.set(CURLOPT_HTTPHEADER, pointer: headers)
    }
}
