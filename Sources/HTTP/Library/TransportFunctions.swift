import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANHTTPClient
import SKANSystem

@_cdecl("skan_http_transport_open")
@implementation
public func skan_http_transport_open(
    _ options: UnsafePointer<skan_http_options>?, _ out: UnsafeMutablePointer<skan_transport>?,
    _ error: ErrorOut
) -> skan_status {
    opening(error) { () throws(Failure) in
        guard let out else { throw Failure(.invalidArgument, "out: expected a skan_transport, got NULL") }
        out.clear()
        let given = try SizedStruct("options", skan_http_options()).read(options)
        let client = try HTTPClient(HTTPSettings(given))
        out.fill(Transport(client, reporter(given.report, given.report_context)))
    }
}

@_cdecl("skan_http_transport_close")
@implementation
public func skan_http_transport_close(_ transport: UnsafeMutablePointer<skan_transport>?) {
    guard let transport, let own = transport.pointee.finalize,
        unsafeBitCast(own, to: UnsafeRawPointer.self) == unsafeBitCast(finalize, to: UnsafeRawPointer.self)
    else { return }
    own(transport.pointee.context)
    transport.clear()
}

/// The state behind the hooks of a transport.
private final class Transport {
    let client: HTTPClient
    let report: ((Failure) -> Void)?

    init(_ client: HTTPClient, _ report: ((Failure) -> Void)?) {
        self.client = client
        self.report = report
    }
}

extension UnsafeMutablePointer<skan_transport> {
    fileprivate func fill(_ transport: Transport) {
        pointee.size = MemoryLayout<skan_transport>.size
        pointee.context = Unmanaged.passRetained(transport).toOpaque()
        pointee.get = get
        pointee.finalize = finalize
    }

    /// Clears the members one by one, because the caller's struct may be smaller than this library's.
    fileprivate func clear() {
        pointee.size = 0
        pointee.context = nil
        pointee.get = nil
        pointee.finalize = nil
    }
}

private typealias Get =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> skan_status

private let get: Get = { context, url, buffer in
    guard let context, let url else { return Status.transport.rawValue }
    let transport = Unmanaged<Transport>.fromOpaque(context).takeUnretainedValue()
    do throws(Failure) {
        let body = try transport.client.get(CText(copying: url))
        let status = body.withUnsafeBytes { skan_buffer_set(buffer, $0.baseAddress, $0.count) }
        if status != Status.ok.rawValue { throw Failure(Status(rawValue: status), "") }
        return status
    } catch {
        transport.report?(error)
        return error.status.rawValue
    }
}

private let finalize: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    guard let context else { return }
    Unmanaged<Transport>.fromOpaque(context).takeRetainedValue().client.end()
}
