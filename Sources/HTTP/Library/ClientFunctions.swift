import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANHTTPClient
import SKANSystem

@_cdecl("skan_http_client_create")
@implementation
public func skan_http_client_create(
    _ options: UnsafePointer<skan_http_options>?, _ out: ObjectOut,
    _ error: ErrorOut
) -> skan_status {
    opening(error) { () throws(Failure) in
        guard let out else { throw Failure(.invalidArgument, "out: expected a place for a client, got NULL") }
        out.pointee = nil
        let client = try HTTPClient(HTTPSettings(SizedStruct("options", skan_http_options()).read(options)))
        out.pointee = OpaquePointer(Unmanaged.passRetained(client).toOpaque())
    }
}

@_cdecl("skan_http_client_destroy")
@implementation
public func skan_http_client_destroy(_ client: OpaquePointer?) {
    guard let client else { return }
    Unmanaged<HTTPClient>.fromOpaque(UnsafeRawPointer(client)).takeRetainedValue().end()
}

@_cdecl("skan_http_request_start")
@implementation
public func skan_http_request_start(
    _ client: OpaquePointer?, _ url: TextIn, _ done: skan_http_done?,
    _ context: UnsafeMutableRawPointer?, _ request: UnsafeMutablePointer<UInt64>?,
    _ error: ErrorOut
) -> skan_status {
    opening(error) { () throws(Failure) in
        request?.pointee = 0
        guard let client, let url, let done else {
            let missing: StaticString = client == nil ? "client" : url == nil ? "url" : "done"
            throw Failure(.invalidArgument, "\(missing) is NULL")
        }
        let number = try inside(client).start(CText(copying: url)) { tell($0, done, context) }
        request?.pointee = number
    }
}

@_cdecl("skan_http_request_cancel")
@implementation
public func skan_http_request_cancel(_ client: OpaquePointer?, _ request: UInt64) {
    if let client { inside(client).cancel(request) }
}

private func inside(_ client: OpaquePointer) -> HTTPClient {
    Unmanaged<HTTPClient>.fromOpaque(UnsafeRawPointer(client)).takeUnretainedValue()
}

private func tell(_ outcome: HTTPOutcome, _ done: skan_http_done, _ context: UnsafeMutableRawPointer?) {
    switch outcome {
    case .answered(let body):
        let nothing: StaticString = ""
        body.withUnsafeBytes {
            done(context, Status.ok.rawValue, $0.isEmpty ? nil : $0.baseAddress, $0.count, nothing.cString)
        }
    case .tooLarge(let words): tell(.limitExceeded, words, done, context)
    case .cancelled(let words, let isSent), .failed(let words, _, let isSent):
        tell(transportStatus(isSent: isSent), words, done, context)
    }
}

private func tell(
    _ status: Status, _ words: Message, _ done: skan_http_done, _ context: UnsafeMutableRawPointer?
) {
    CText(words.utf8).characters.withUnsafeBufferPointer { done(context, status.rawValue, nil, 0, $0.baseAddress) }
}
