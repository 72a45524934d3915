import SKANCommandOutput
package import SKANCore
package import SKANSystem

extension Networks {
    /// Reads a file of networks: {"networks": [{"name", "ad_networks": [ID], "tokens": [TOKEN], "partners": [{"name",
    /// "url", "method"}]}]}. If anything is wrong, returns nil and adds every fault to `problems`, without secrets.
    @export(interface)
    package static func read(_ file: CText, _ problems: inout [Message]) -> Networks? {
        let text: [UInt8]
        do throws(FileTrouble) {
            text = try readFile(file, limit: fileBytes, isRegular: true)
        } catch {
            problems.append("\(file.message): \(error.words(limit: fileBytes))")
            return nil
        }
        let found = NetworksProblems()
        let list = found.noting(nil) { () throws(NetworksProblem) in
            try text.withBytes { text throws(NetworksProblem) in try networks(text, found) }
        }
        problems += found.list.map { "\(file.message): \($0.message)" }
        return found.list.isEmpty ? list.map { Networks($0) } : nil
    }
}

private var fileBytes: Int { 4 << 20 }

private func networks(_ text: Bytes, _ problems: NetworksProblems) throws(NetworksProblem) -> [Network] {
    let document = try NetworksObject(document: text)
    try document.checkKeys(["networks"])
    var reading = NetworksReading(problems: problems)
    for (index, value) in try document.array("networks", 1...1000).enumerated() {
        let place: Message = "networks[\(index)]"
        _ = problems.noting(nil) { () throws(NetworksProblem) in
            guard let object = NetworksObject(value) else {
                throw NetworksProblem("\(place): expected an object")
            }
            try reading.read(object, at: place)
        }
    }
    return reading.list
}

/// Collects the faults of a file of networks.
private final class NetworksProblems {
    private(set) var list: [NetworksProblem] = []

    /// Returns the result of `body`. If it throws, notes the fault, within `place` if there is one, and returns nil.
    func noting<Made>(_ place: Message?, _ body: () throws(NetworksProblem) -> Made) -> Made? {
        do throws(NetworksProblem) { return try body() } catch {
            list.append(place.map { error.within($0) } ?? error)
            return nil
        }
    }
}

private struct NetworksReading {
    let problems: NetworksProblems
    var list: [Network] = []

    mutating func read(_ object: NetworksObject, at place: Message) throws(NetworksProblem) {
        let name: [UInt8]
        do throws(NetworksProblem) {
            try object.checkKeys(["name", "ad_networks", "tokens", "partners"])
            name = try object.name()
        } catch {
            throw error.within(place)
        }
        let own: Message = "network \"\(Message(utf8: name))\""
        if list.contains(where: { $0.name == name }) { throw NetworksProblem("\(own): appears twice") }
        let ids = problems.noting(own) { () throws(NetworksProblem) in try self.adNetworks(object) }
        let tokens = problems.noting(own) { () throws(NetworksProblem) in try self.tokens(object, own) }
        let partners = problems.noting(own) { () throws(NetworksProblem) in
            try self.partners(object, of: name, own)
        }
        // A network with faults is added too, so that later networks are checked against its name and ids.
        list.append(Network(name: name, adNetworks: ids ?? [], tokens: tokens ?? [], partners: partners ?? []))
    }

    private func adNetworks(_ object: NetworksObject) throws(NetworksProblem) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        for value in try object.array("ad_networks", 1...1000) {
            ids.append(try networksText(value, "ad_networks", upTo: 128))
        }
        for id in ids {
            for network in list where network.adNetworks.contains(id) {
                throw NetworksProblem("\"\(Message(utf8: id))\" is of network \"\(Message(utf8: network.name))\" too")
            }
        }
        return ids
    }

    private func tokens(_ object: NetworksObject, _ place: Message) throws(NetworksProblem) -> [NetworkToken] {
        try object.array("tokens", 0...NetworkToken.most).compactMap { value in
            problems.noting(place) { () throws(NetworksProblem) in
                try NetworkToken(source: try networksText(value, "tokens", upTo: 4096))
            }
        }
    }

    private func partners(
        _ object: NetworksObject, of network: [UInt8], _ place: Message
    ) throws(NetworksProblem) -> [Partner] {
        var partners: [Partner] = []
        for value in try object.array("partners", 0...Network.mostPartners) {
            let read = problems.noting(place) { () throws(NetworksProblem) in
                guard let object = NetworksObject(value) else { throw NetworksProblem("partners: expected objects") }
                return try partner(object, of: network, beside: partners)
            }
            if let read { partners.append(read) }
        }
        return partners
    }

    private func partner(
        _ object: NetworksObject, of network: [UInt8], beside others: [Partner]
    ) throws(NetworksProblem) -> Partner {
        try object.checkKeys(["name", "url", "method"])
        let name = try object.name()
        if others.contains(where: { $0.name == name }) {
            throw NetworksProblem("partner \"\(Message(utf8: name))\" appears twice")
        }
        let url = try object.text("url", upTo: PartnerURL.byteCount)
        let takesRow = try takesRow(object, name)
        return Partner(
            name: name, of: network, url: try partnerURL(url, of: name, needsID: !takesRow), text: url,
            takesRow: takesRow)
    }
}

/// Whether the partner is called by POST, which sends it a row. The default method is GET.
private func takesRow(_ partner: NetworksObject, _ name: [UInt8]) throws(NetworksProblem) -> Bool {
    guard let method = try partner.optionalText("method", upTo: 16) else { return false }
    if method.elementsEqual("POST".utf8) { return true }
    if method.elementsEqual("GET".utf8) { return false }
    throw NetworksProblem(
        "partner \"\(Message(utf8: name))\": method: expected \"GET\" or \"POST\", got \"\(Message(utf8: method))\"")
}

private func partnerURL(_ text: [UInt8], of name: [UInt8], needsID: Bool) throws(NetworksProblem) -> PartnerURL {
    do throws(PartnerURLProblem) {
        return try text.withBytes { text throws(PartnerURLProblem) in try PartnerURL(text, needsID: needsID) }
    } catch {
        throw NetworksProblem("partner \"\(Message(utf8: name))\": url: \(error.words)")
    }
}
