internal import CSKANCrypto
internal import CSKANSystem
package import SKANCore

/// Rules, "Postback keys": Apple's keys, with some replaced or added. Parsed once and shared by all calls.
package final class PostbackKeySet: Sendable {
    private let keys: [PublicKey]

    package static var most: Int { 256 }

    /// Creates a set of Apple's keys, in which each given key replaces the key of the same name or is added. A given
    /// key without an `spki` removes the key of the same name. If a name is given twice, the last one counts.
    package convenience init(_ given: [GivenKey]) throws(Failure) {
        guard given.count <= Self.most else {
            throw Failure(.limitExceeded, "count: expected at most \(Self.most), got \(given.count)")
        }
        guard let library = CryptoLibrary.context else { throw PublicKey.noMemoryForKeys }
        try self.init(given, library)
    }

    @_optimize(size)
    fileprivate convenience init(_ given: [GivenKey], _ library: OpaquePointer) throws(Failure) {
        var keys: [PublicKey] = []
        for (place, key) in appleKeys.enumerated() { try keys.add(key, place, library) }
        for (place, key) in given.enumerated() { try keys.add(key, place, library) }
        self.init(keys: keys)
    }

    private init(keys: [PublicKey]) { self.keys = keys }

    package static func apple() throws(Failure) -> PostbackKeySet {
        pthread_once(&once, begin)
        guard let appleSet else { throw PublicKey.noMemoryForKeys }
        return appleSet
    }

    func key(named name: UnsafeRawBufferPointer) -> PublicKey? {
        for key in keys where key.name.withUnsafeBytes({ isSame($0, name) }) { return key }
        return nil
    }
}

extension [PublicKey] {
    @_optimize(size)
    fileprivate mutating func add(_ given: GivenKey, _ place: Int, _ library: OpaquePointer) throws(Failure) {
        guard let name = given.name, 1...GivenKey.nameBytes ~= name.count else {
            let got: StaticString = given.name.map { $0.isEmpty ? "none" : "more" } ?? "NULL"
            throw Failure(
                .invalidArgument, "keys[\(place)].name: expected 1 to \(GivenKey.nameBytes) bytes, got \(got)")
        }
        removeAll { $0.name == name }
        guard let spki = given.spki else { return }
        append(try PublicKey(name, spki, isDevelopment: given.isDevelopment, place: place, library))
    }
}

// MARK: What is made once

private nonisolated(unsafe) var appleSet: PostbackKeySet?
private nonisolated(unsafe) var once = pthread_once_t()

private func begin() {
    guard let library = CryptoLibrary.context else { return }
    do throws(Failure) { appleSet = try PostbackKeySet([], library) } catch { appleSet = nil }
}
