import SKANCore
import SKANSystem

/// How a request's body is packed, according to its header Content-Encoding.
package enum ContentCoding {
    case none, gzip
    /// A coding that the server does not know, or several codings.
    case unknown

    init(_ value: Bytes) {
        if value.isEmpty || value.isName("identity") {
            self = .none
        } else if value.isName("gzip") || value.isName("x-gzip") {
            self = .gzip
        } else {
            self = .unknown
        }
    }
}
