internal import SKANCommandOutput
package import SKANCore
package import SKANSystem

extension Networks {
    /// Reads a file: {"networks": [{"name", "ad_networks": [ID], "tokens": [TOKEN], "partners": [{"name", "url", "method"}]}]}.
    /// Throws what is wrong, without what is secret.
    package init(file: CText) throws(Failure) {
        let text: [UInt8]
        do throws(FileTrouble) {
            text = try readFile(file, limit: fileBytes)
        } catch {
            throw Failure(.invalidDocument, "\(file.message): \(error.words(limit: fileBytes))")
        }
        do throws(NetworksProblem) {
            self = try text.withBytes { text throws(NetworksProblem) in try networks(text) }
        } catch {
            throw Failure(.invalidDocument, "\(file.message): \(error.message)")
        }
    }
}

private var fileBytes: Int { 4 << 20 }

private func networks(_ text: Bytes) throws(NetworksProblem) -> Networks {
    let document = try NetworksObject(document: text)
    try document.checkKeys(["networks"])
    var reading = NetworksReading()
    for (index, value) in try document.array("networks", 1...1000).enumerated() {
        let place: Message = "networks[\(index)]"
        guard let object = NetworksObject(value) else {
            throw NetworksProblem("\(place): expected an object")
        }
        try reading.read(object, at: place)
    }
    return Networks(reading.list)
}

/// Networks while they are read.
private struct NetworksReading {
    var list: [Network] = []
    private var partnerCount = 0

    mutating func read(_ object: NetworksObject, at place: Message) throws(NetworksProblem) {
        let name: [UInt8]
        do throws(NetworksProblem) {
            try object.checkKeys(["name", "ad_networks", "tokens", "partners"])
            name = try object.name()
        } catch {
            throw error.within(place)
        }
        do throws(NetworksProblem) {
            if list.contains(where: { $0.name == name }) { throw NetworksProblem("is there twice") }
            let ids = try adNetworks(object)
            list.append(
                Network(name: name, adNetworks: ids, tokens: try tokens(object), partners: try partners(object)))
        } catch {
            throw error.within("network \"\(Message(utf8: name))\"")
        }
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

    private func tokens(_ object: NetworksObject) throws(NetworksProblem) -> [NetworkToken] {
        var tokens: [NetworkToken] = []
        for value in try object.array("tokens", 0...NetworkToken.most) {
            tokens.append(try NetworkToken(source: try networksText(value, "tokens", upTo: 4096)))
        }
        return tokens
    }

    private mutating func partners(_ object: NetworksObject) throws(NetworksProblem) -> [Partner] {
        var partners: [Partner] = []
        for value in try object.array("partners", 0...Network.mostPartners) {
            guard let object = NetworksObject(value) else { throw NetworksProblem("partners: expected objects") }
            try object.checkKeys(["name", "url", "method"])
            let name = try object.name()
            if partners.contains(where: { $0.name == name }) {
                throw NetworksProblem("partner \"\(Message(utf8: name))\" is there twice")
            }
            let url = try object.text("url", upTo: PartnerURL.byteCount)
            let takesRow = try takesRow(object, name)
            partners.append(
                Partner(
                    name: name, url: try partnerURL(url, of: name, needsID: !takesRow), takesRow: takesRow,
                    index: partnerCount))
            partnerCount += 1
        }
        return partners
    }
}

/// By its method, GET where there is none.
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
