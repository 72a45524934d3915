import CSKAN
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// A conversion model that the host made with libskan.so. It must outlive the receiver.
struct NativeModel: PostbackModel, @unchecked Sendable {
    private let model: OpaquePointer
    let version: SHA256

    init?(_ model: OpaquePointer?) {
        guard let model, let version = skan_model_version(model) else { return nil }
        self.model = model
        self.version = SHA256(hexadecimal: Bytes(start: version, count: 2 * SHA256.byteCount))
    }

    func isDecodable(window: Int32, fine: Int32, coarse: Int32) -> Bool {
        var json: UnsafeMutablePointer<CChar>?
        let status = skan_model_decode(model, window, fine, coarse, &json, nil)
        skan_free(json)
        return status == Status.ok.rawValue
    }
}

extension SHA256 {
    /// Parses 64 lower-case hexadecimal digits.
    fileprivate init(hexadecimal digits: Bytes) {
        var words = InlineArray<8, UInt32>(repeating: 0)
        for index in 0..<digits.count {
            let digit = digits[index]
            let value = digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
            words[index / 8] = words[index / 8] << 4 | UInt32(value & 15)
        }
        self.init(words: words)
    }
}
