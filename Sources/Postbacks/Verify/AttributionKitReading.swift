internal import SKANCore

/// Rules, "AdAttributionKit signatures", "Postback verification": reads postbacks of AdAttributionKit, which have a
/// compact JWS next to unsigned fields.
extension PostbackReading {
    /// Reads all fields without checking the signature, which can be done afterwards. If it throws, the fields read so
    /// far remain set.
    @_optimize(size)
    mutating func readAttributionKit(
        _ members: [JSONMember], keys: PostbackKeySet?
    ) throws(PostbackRefusal) -> SignedJWS {
        for member in members {
            guard let field = PostbackField.named(member.key, { $0.nameBesideJWS }) else { continue }
            self[field] = add(member.value)
        }
        readUnsignedFields()
        try require(.jws, "jws-string", .text)
        guard let text = string(.jws) else { throw .malformed("jws-string", "is missing") }
        let jws = try CompactJWS(text)
        try readHeader(of: jws)
        var key: PublicKey?
        if let keys { key = try jwsKey(keys) }
        try readPayload(of: jws)
        return SignedJWS(jws: jws, key: key)
    }

    @_optimize(size)
    private mutating func readHeader(of jws: CompactJWS) throws(PostbackRefusal) {
        try readObject(jws.header, "header") { member, reading in
            guard let field = PostbackField.named(member.key, { $0.nameInHeader }) else { return }
            reading[field] = reading.add(member.value)
        }
        if self[.keyID]?.kind == .string { self[.keyID]?.isText = true }
        guard let algorithm = string(.algorithm), isText(algorithm, "ES256") else {
            throw .malformed("alg", "expected ES256")
        }
        guard jws.signature.count == SignatureForm.jwsBytes else { throw .malformed("signature", "expected 64 bytes") }
        if self[.critical] != nil { throw .unverifiable("crit", "requires extensions that are not known") }
    }

    /// Finds the key that the JWS names by its `kid`. A `kid` that is the name of a SKAdNetwork version is refused.
    private func jwsKey(_ keys: PostbackKeySet) throws(PostbackRefusal) -> PublicKey {
        guard let name = string(.keyID), SKAdNetworkFormat(named: name) == nil, let key = keys.key(named: name),
            key.isP256
        else { throw .unverifiable("kid", "no key is known by this name") }
        return key
    }

    @_optimize(size)
    private mutating func readPayload(of jws: CompactJWS) throws(PostbackRefusal) {
        var all: [PayloadMember] = []
        try readObject(jws.payload, "payload") { member, reading in
            let value = reading.add(member.value)
            all.append(PayloadMember(name: reading.add(member.key), value: value))
            if let field = PostbackField.named(member.key, { $0.payloadName }) { reading[field] = value }
        }
        let required: [PostbackField] = [
            .transactionID, .adNetworkID, .appID, .sourceIdentifier, .didWin, .sequenceIndex,
        ]
        for field in required { try requirePayload(field) }
        // A source-app-id of the wrong type counts as absent.
        if var publisher = self[.sourceAppID] {
            publisher.integer = PostbackSpelling.integer(publisher.kind, texts[publisher.place])
            self[.sourceAppID] = publisher
        }
        if self[.conversionType]?.kind == .string { self[.conversionType]?.isText = true }
        if self[.impressionType]?.kind == .string { self[.impressionType]?.isText = true }
        payload = all
    }

    /// Checks that a field of the payload is present and has its type. Accepts every notation of a value, because the
    /// signature covers the payload exactly as Apple wrote it.
    private mutating func requirePayload(_ field: PostbackField) throws(PostbackRefusal) {
        let name = field.payloadName ?? ""
        guard var value = self[field], value.kind != .null else { throw .malformed(name, "is missing") }
        let text = texts[value.place]
        switch field.type {
        case .integer: value.integer = PostbackSpelling.integer(value.kind, text)
        case .window: value.integer = PostbackSpelling.smallNumber(value.kind, text)
        case .boolean: value.integer = PostbackSpelling.truth(value.kind, text).map { $0 ? 1 : 0 }
        case .text: value.isText = value.kind == .string || field == .sourceIdentifier && wholeNumber(text) != nil
        }
        if !value.isText, value.integer == nil || field.type == .window && !(0...2 ~= value.integer ?? -1) {
            if let fault = field.type.fault(&value, text) { throw .malformed(name, fault) }
        }
        self[field] = value
    }

    /// Calls `body` with each member of a part of the JWS, which must be a JSON object.
    private mutating func readObject(
        _ bytes: [UInt8], _ part: StaticString, _ body: (JSONMember, inout PostbackReading) -> Void
    ) throws(PostbackRefusal) {
        let isObject = bytes.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                for member in try JSONDocument(bytes).members { body(member, &self) }
                return true
            } catch {
                return false
            }
        }
        if !isObject { throw .malformed(part, "expected a JSON object") }
    }
}

/// A postback of AdAttributionKit that is ready for its signature to be checked.
struct SignedJWS {
    let jws: CompactJWS
    /// The key to check the signature with; nil if an earlier verdict is used instead.
    let key: PublicKey?
}

/// The names of AdAttributionKit's fields in each part of a postback: beside the JWS, in its header and in its payload.
extension PostbackField {
    fileprivate var nameBesideJWS: StaticString? { self == .jws ? "jws-string" : unsignedName }

    fileprivate var nameInHeader: StaticString? {
        switch self {
        case .algorithm: "alg"
        case .keyID: "kid"
        case .critical: "crit"
        default: nil
        }
    }

    fileprivate var payloadName: StaticString? {
        switch self {
        case .transactionID: "postback-identifier"
        case .adNetworkID: "ad-network-identifier"
        case .appID: "advertised-item-identifier"
        case .sourceIdentifier: "source-identifier"
        case .didWin: "did-win"
        case .sequenceIndex: "postback-sequence-index"
        case .sourceAppID: "publisher-item-identifier"
        case .conversionType: "conversion-type"
        case .impressionType: "impression-type"
        default: nil
        }
    }
}
