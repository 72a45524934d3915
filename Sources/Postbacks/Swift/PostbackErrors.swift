internal import CSKAN
internal import SKAN

extension SKANError {
    /// An error of C, which it ends.
    init(ending error: OpaquePointer?) {
        defer { skan_error_free(error) }
        self.init(Code(rawValue: skan_error_code(error)), skan_error_message(error).map { String(cString: $0) } ?? "")
    }
}
