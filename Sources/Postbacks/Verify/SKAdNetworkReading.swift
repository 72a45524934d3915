internal import SKANCore

/// Rules, "SKAdNetwork signatures", "Postback verification": reads postbacks of SKAdNetwork 1.0 to 4.0.
extension PostbackReading {
    /// Reads all fields without checking the signature, which can be done afterwards. If it throws, the fields read so
    /// far remain set.
    @_optimize(size)
    mutating func readSKAdNetwork(
        _ members: [JSONMember], keys: PostbackKeySet?
    ) throws(PostbackRefusal) -> SignedPostback {
        for member in members {
            guard let field = PostbackField.named(member.key, { $0.skAdNetworkName }) else { continue }
            self[field] = add(member.value)
        }
        let format = try skAdNetworkFormat()
        version = .fixed(format.name)
        let known = format.known
        for field in PostbackField.allCases where !known.contains(field) { self[field] = nil }
        readUnsignedFields()
        let key = keys?.key(named: texts[.fixed(format.name)])
        if keys != nil, key == nil { throw .unverifiable("version", "no key is known for this version") }
        for field in format.signed { try requireSigned(field) }
        var fields = format.signed
        for field in format.signed where self[field] == nil { fields.remove(field) }
        return SignedPostback(fields: fields, signature: try skAdNetworkSignature(), key: key)
    }

    private mutating func skAdNetworkFormat() throws(PostbackRefusal) -> SKAdNetworkFormat {
        guard let value = self[.version] else { return .version1 }
        let isKnown = SKAdNetworkFormat(spelled: value.kind, texts[value.place]) != nil
        // A number that is no known version may be a newer version.
        if value.kind != .number || isKnown { try require(.version, "version", .text) }
        if let format = SKAdNetworkFormat(named: texts[value.place]) { return format }
        version = .told(value.place)
        throw .unverifiable("version", "this version is not known")
    }

    @_optimize(size)
    private mutating func requireSigned(_ field: PostbackField) throws(PostbackRefusal) {
        let name = field.skAdNetworkName ?? ""
        try require(field, name, field.type, isOptional: field.isOptionalInSKAdNetwork)
        guard let text = string(field) else { return }
        if holdsSeparator(text) {
            self[field]?.isText = false
            throw .malformed(name, "contains U+2063, which separates the signed fields")
        }
        guard field == .sourceDomain else { return }
        if self[.sourceAppID] != nil {
            throw .malformed(name, "expected either source-domain or source-app-id, got both")
        }
        // Both fields are signed in the same place without their names, so an app id would also verify as a domain.
        if !text.isEmpty, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            self[field]?.isText = false
            throw .malformed(name, "expected a domain, got digits only")
        }
    }

    private mutating func skAdNetworkSignature() throws(PostbackRefusal) -> [UInt8] {
        let name: StaticString = "attribution-signature"
        try require(.signature, name, .text)
        guard let text = string(.signature), let der = Base64.standard.decode(text) else {
            throw .malformed(name, "expected padded base64")
        }
        guard SignatureForm.isDER(der) else { throw .malformed(name, "expected the DER of an ECDSA signature") }
        return der
    }

    /// Returns the text that Apple signs, which has the values of these fields with U+2063 between them.
    func skAdNetworkText(_ fields: PostbackFieldSet) -> ByteBuffer {
        var text = ByteBuffer(capacity: 512)
        var isFirst = true
        for field in fields {
            guard let value = self[field] else { continue }
            if !isFirst { text.append(separator) }
            isFirst = false
            switch value.kind {
            case .string: text.append(texts[value.place])
            case .true: text.append("true")
            case .false: text.append("false")
            default: text.append(decimal: value.integer ?? 0)
            }
        }
        return text
    }
}

/// A postback of SKAdNetwork that is ready for its signature to be checked.
struct SignedPostback {
    /// The signed fields that are present.
    let fields: PostbackFieldSet
    /// The signature in DER.
    let signature: [UInt8]
    /// The key to check the signature with; nil if an earlier verdict is used instead.
    let key: PublicKey?
}

private let separator: StaticString = "\u{2063}"

private func holdsSeparator(_ text: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position &+ 2 < text.count {
        if text[position] == 0xE2, text[position &+ 1] == 0x81, text[position &+ 2] == 0xA3 { return true }
        position &+= 1
    }
    return false
}
