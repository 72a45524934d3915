internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A host of a connection URI, or one of the addresses of a host's name. Parts that libpq has to find by itself are
/// nil.
struct PostgresHost: Sendable {
    var name, address, port: [UInt8]?

    /// The hosts in comma-separated lists, as libpq reads them; at least one.
    static func all(hosts: [UInt8], addresses: [UInt8], ports: [UInt8]) -> [PostgresHost] {
        let (names, places, numbers) = (items(hosts), items(addresses), items(ports))
        let count = max(names.count, places.count)
        // If the lists do not fit together, libpq reports what is wrong.
        let fits = [names.count, places.count, numbers.count].allSatisfy { $0 <= 1 || $0 == count }
        guard fits, count > 0 else { return [PostgresHost()] }
        return (0..<count).map { index in
            func item(_ list: [ArraySlice<UInt8>]) -> [UInt8]? {
                list.indices.contains(index) ? [UInt8](list[index]) : list.first.map { [UInt8]($0) }
            }
            return PostgresHost(name: item(names), address: item(places), port: item(numbers))
        }
    }

    static func items(_ list: [UInt8]) -> [ArraySlice<UInt8>] {
        if list.isEmpty { return [] }
        return list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    }

    /// Whether the system must be asked for the addresses of the name.
    var needsLookUp: Bool {
        guard let first = name?.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "@") else { return false }
        return address?.isEmpty ?? true
    }

    /// A host for each address of the name, in the order in which the system returns them.
    func resolved() throws(UnknownName) -> [PostgresHost] {
        guard let name, needsLookUp else { return [self] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let failed = getaddrinfo(CText(name).characters, nil, &hints, &found)
        guard failed == 0 else {
            throw UnknownName(
                words: failed == EAI_SYSTEM ? Message(systemError: systemError) : Message(gai_strerror(failed)))
        }
        defer { freeaddrinfo(found) }
        var hosts: [PostgresHost] = []
        var each = found
        while let place = each?.pointee {
            if let text = PostgresHost.text(of: place) {
                hosts.append(PostgresHost(name: name, address: text, port: port))
            }
            each = place.ai_next
        }
        return hosts.isEmpty ? [self] : hosts
    }

    private static func text(of place: addrinfo) -> [UInt8]? {
        let room = 128
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { text in
            guard let start = text.baseAddress,
                getnameinfo(
                    place.ai_addr, place.ai_addrlen, start, socklen_t(room), nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            return CText(copying: start).utf8
        }
    }
}

/// The reason why a host's name has no address.
struct UnknownName: Error {
    let words: Message
}
