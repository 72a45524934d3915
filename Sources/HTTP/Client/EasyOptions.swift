internal import CSKANCurl
internal import SKANSystem

/// Sets options one after the other until libcurl refuses one.
struct EasyOptions {
    private let curl: UnsafeMutableRawPointer
    private(set) var code = CURLE_OK

    init(_ curl: UnsafeMutableRawPointer) { self.curl = curl }

    mutating func set(_ setting: (UnsafeMutableRawPointer) -> CURLcode) {
        if code == CURLE_OK { code = setting(curl) }
    }

    mutating func set(_ option: CURLoption, _ number: Int) { set { skan_curl_set_number($0, option, number) } }

    mutating func set(_ option: CURLoption, _ text: StaticString) {
        set { skan_curl_set_text($0, option, text.cString) }
    }

    mutating func set(_ option: CURLoption, _ text: CText?) {
        set { curl in
            guard let text else { return skan_curl_set_text(curl, option, nil) }
            return text.characters.withUnsafeBufferPointer { skan_curl_set_text(curl, option, $0.baseAddress) }
        }
    }

    mutating func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
        set { skan_curl_set_pointer($0, option, pointer) }
    }
}
