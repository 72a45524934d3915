import Foundation
import LinkedLibrary
import SKAN
import Synchronization

/// What every copy of libskan is asked to do.
protocol Installs: Sendable {
    func register(_ id: String) async throws
    func add(_ amount: Double, _ currency: String, to id: String, event: String?) async throws
    func apply(_ answer: String, to id: String) async throws
    func details(_ id: String) async throws -> String
}

/// The Swift package.
struct PackageInstalls: Installs {
    let engine: Engine

    init(_ store: any Store) throws {
        let configuration = Configuration(endpointURL: "https://skan.example.com")
        engine = try Engine(configuration, store: store, clock: { 1_700_000_000_000_000 })
    }

    func register(_ id: String) async throws { try await engine.register(id) }

    func add(_ amount: Double, _ currency: String, to id: String, event: String?) async throws {
        try await engine.updateRevenue(id, amount: amount, currency: currency, eventID: event)
    }

    func apply(_ answer: String, to id: String) async throws { try await engine.applyResponse(id, body: answer.utf8) }

    func details(_ id: String) async throws -> String { try await engine.details(id).json }
}

/// The C library, with hooks that are Swift of the full runtime.
final class LibraryInstalls: Installs {
    struct Failure: Error {
        let status: skan_status
        let message: String
    }

    private let library: CLibrary
    private let hooks: Hooks
    private let engine: Mutex<Engine>

    private struct Engine: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    init(_ library: CLibrary, inMemory: Bool) throws {
        self.library = library
        let hooks = Hooks(library)
        self.hooks = hooks
        var engine: OpaquePointer?
        var error: OpaquePointer?
        let status = hooks.withOptions(inMemory: inMemory) { library.create($0, &engine, &error) }
        self.engine = Mutex(Engine(pointer: engine))
        try check(status, error)
    }

    deinit { library.destroy(engine.withLock { $0.pointer }) }

    private func check(_ status: skan_status, _ error: OpaquePointer?) throws {
        defer { library.errorFree(error) }
        guard status >= 100 else { return }
        throw Failure(status: status, message: library.errorMessage(error).map { String(cString: $0) } ?? "")
    }

    private func call(_ function: (OpaquePointer?, CLibrary.Errors) -> skan_status) throws {
        let pointer = engine.withLock { $0.pointer }
        var error: OpaquePointer?
        try check(function(pointer, &error), error)
    }

    func register(_ id: String) throws { try call { library.register($0, id, nil, nil, $1) } }

    func add(_ amount: Double, _ currency: String, to id: String, event: String?) throws {
        try call { library.updateRevenue($0, id, skan_amount(text: nil, number: amount), currency, 0, event, $1) }
    }

    func apply(_ answer: String, to id: String) throws {
        try call { library.applyResponse($0, id, nil, 0, answer, answer.utf8.count, nil, $1) }
    }

    func details(_ id: String) throws -> String {
        var json: UnsafeMutablePointer<CChar>?
        defer { library.free(json) }
        try call { library.details($0, id, &json, $1) }
        return json.map { String(cString: $0) } ?? ""
    }
}

/// A store and a clock for the C library: its hooks come back into this program's Swift.
private final class Hooks: Sendable {
    private let library: CLibrary
    private let table = TableStore()

    init(_ library: CLibrary) { self.library = library }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Hooks? {
        context.map { Unmanaged<Hooks>.fromOpaque($0).takeUnretainedValue() }
    }

    func withOptions<Result>(inMemory: Bool, _ body: (UnsafePointer<skan_options>) -> Result) -> Result {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var clock = skan_clock()
        clock.size = MemoryLayout<skan_clock>.size
        clock.now = { _ in 1_700_000_000_000_000 }
        var store = skan_store()
        store.size = MemoryLayout<skan_store>.size
        store.context = context
        store.load = { Hooks.from($0)?.load($1, $2, $3) ?? skan_status(SKAN_ERROR_STORE.rawValue) }
        store.save = { Hooks.from($0)?.save($1, $2, $3, $4, $5) ?? skan_status(SKAN_ERROR_STORE.rawValue) }
        store.remove = { _, _, _ in skan_status(SKAN_ERROR_STORE.rawValue) }
        return withUnsafePointer(to: clock) { clock in
            withUnsafePointer(to: store) { store in
                var options = skan_options()
                options.size = MemoryLayout<skan_options>.size
                options.clock = clock
                options.store = inMemory ? nil : store
                return "https://skan.example.com".withCString { url in
                    options.endpoint_url = url
                    return body(&options)
                }
            }
        }
    }

    private func load(
        _ key: UnsafePointer<CChar>?, _ out: OpaquePointer?, _ version: UnsafeMutablePointer<UInt64>?
    ) -> skan_status {
        guard let key, let record = table.load(String(cString: key)) else {
            return skan_status(SKAN_NOT_FOUND.rawValue)
        }
        version?.pointee = record.version
        return library.setBuffer(out, record.bytes, record.bytes.count)
    }

    private func save(
        _ key: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ length: Int, _ expected: UInt64,
        _ version: UnsafeMutablePointer<UInt64>?
    ) -> skan_status {
        guard let key else { return skan_status(SKAN_ERROR_STORE.rawValue) }
        let record = [UInt8](UnsafeRawBufferPointer(start: data, count: length))
        guard case .saved(let new) = table.save(String(cString: key), record, expected: expected) else {
            return skan_status(SKAN_ERROR_STORE_CONFLICT.rawValue)
        }
        version?.pointee = new
        return skan_status(SKAN_OK.rawValue)
    }
}
