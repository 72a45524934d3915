internal import SKANCore
internal import SKANEngine

/// Copies of the texts of a call, whose addresses stay valid while the call waits for its hooks.
///
/// A text that is too long is cut; what remains is enough for an error message.
struct CallTexts {
    private var kept: [UnsafeMutableRawBufferPointer] = []

    mutating func keep(_ text: String, limit: Int) -> UnsafeRawBufferPointer {
        keep(copyOf: text.utf8.prefix(max(limit, Message.countedBytes) + 1))
    }

    private mutating func keep(copyOf bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        kept.append(copy)
        return UnsafeRawBufferPointer(copy)
    }

    mutating func keep(ifAny text: String?, limit: Int) -> UnsafeRawBufferPointer? {
        guard let text else { return nil }
        return keep(text, limit: limit)
    }

    func free() {
        for copy in kept { copy.deallocate() }
    }
}

extension CallTexts {
    mutating func installKey(
        _ installID: String, _ name: StaticString = "install_id"
    ) throws -> UnsafeRawBufferPointer {
        let bytes = keep(installID, limit: Limits.installIDBytes)
        try translated { () throws(Failure) in try Arguments.checkInstallID(bytes, name) }
        return bytes
    }

    /// Copies an argument of at most 64 KiB.
    mutating func keep(_ argument: some Collection<UInt8>, _ name: StaticString) throws -> UnsafeRawBufferPointer {
        guard argument.count <= Limits.responseBytes else {
            throw SKANError(.limitExceeded, "\(name): \(argument.count) bytes, the limit is \(Limits.responseBytes)")
        }
        return keep(copyOf: argument)
    }

    mutating func eventID(_ id: String?) throws -> UnsafeRawBufferPointer? {
        let bytes = keep(ifAny: id, limit: Limits.eventIDBytes)
        try translated { () throws(Failure) in try Arguments.checkEventID(bytes) }
        try checkNoNUL(bytes)
        return bytes
    }

    mutating func eventName(_ name: String?, _ settings: borrowing EngineSettings) throws -> UnsafeRawBufferPointer {
        let bytes = keep(ifAny: name, limit: Limits.eventNameBytes)
        let isForRequest = settings.asksEndpoint
        return try translated { () throws(Failure) in try Arguments.eventName(bytes, isForRequest: isForRequest) }
    }

    mutating func device(_ device: Device) throws -> SKANCore.Device {
        let osVersion = keep(ifAny: device.osVersion, limit: Limits.textBytes)
        let idfv = keep(ifAny: device.idfv, limit: Limits.textBytes)
        let idfa = keep(ifAny: device.idfa, limit: Limits.textBytes)
        return try translated { () throws(Failure) in
            try SKANCore.Device(osVersion: osVersion, idfv: idfv, idfa: idfa)
        }
    }
}

/// Refuses an event id with a NUL: a C text ends at the NUL, so C would see a different id.
func checkNoNUL(_ id: UnsafeRawBufferPointer?) throws {
    guard let id, id.contains(0) else { return }
    throw SKANError(Failure(.invalidArgument, "event_id: expected bytes without NUL, got \(quoted: id)"))
}

/// Passes the bytes of an argument of at most 64 KiB to `body`.
func withBytes<Result>(
    of argument: some Collection<UInt8>, _ name: StaticString,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
) throws -> Result {
    var texts = CallTexts()
    defer { texts.free() }
    let bytes = try texts.keep(argument, name)
    return try translated { () throws(Failure) in try body(bytes) }
}

extension String {
    init(_ write: (inout ByteBuffer) -> Void) {
        var text = ByteBuffer(capacity: 64)
        write(&text)
        self.init(text)
    }

    /// Copies a text that the core wrote. The buffer is a parameter so that it outlives the copying.
    init(_ text: borrowing ByteBuffer) {
        self = text.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a copy of `text`, then frees `text`.
    init(taking text: OwnedText) {
        defer { text.start.deallocate() }
        self.init(decoding: UnsafeRawBufferPointer(start: text.start, count: text.count), as: UTF8.self)
    }
}
