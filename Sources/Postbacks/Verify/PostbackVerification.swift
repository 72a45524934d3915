package import SKANCore

/// Rules, "Postback verification": verifies the body of a postback.
extension PostbackReading {
    mutating func verify(_ body: UnsafeRawBufferPointer, with keys: PostbackKeySet) throws(Failure) {
        try readStrictly(body, with: keys)
        try readRespelled(body, with: keys)
        texts.mend(behind: self.body)
        makeKey()
    }

    /// Reads a body, which must be written as Apple writes it, and checks the signature.
    mutating func readStrictly(_ body: UnsafeRawBufferPointer, with keys: PostbackKeySet) throws(Failure) {
        switch read(body, keys: keys) {
        case .skAdNetwork(let postback): try check(postback)
        case .adAttributionKit(let postback): try check(postback)
        case nil: break
        }
    }

    /// Reads the body and sets the earlier result, even if this version of libskan would judge the postback
    /// differently. Does not check the signature.
    mutating func restore(_ body: UnsafeRawBufferPointer, _ verdict: PostbackVerdict) {
        omitsSourceApp = verdict.omitsSourceApp
        isRespelled = verdict.isRespelled
        if let signed = read(body, keys: nil) {
            result = verdict.result
            if case .skAdNetwork(let postback) = signed, result.isProven { prove(postback.fields) }
        }
        texts.mend(behind: self.body)
        makeKey()
        take(verdict.result)
    }

    /// Reads all fields without checking the signature. Returns nil and sets the result if the postback is malformed or
    /// unverifiable.
    private mutating func read(_ body: UnsafeRawBufferPointer, keys: PostbackKeySet?) -> SignedContent? {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(body)
        } catch {
            result = .malformed
            problem = .told(error.description.utf8.withUnsafeBytes { texts.add($0) })
            return nil
        }
        framework = postbackFramework(document)
        do throws(PostbackRefusal) {
            return switch framework {
            case .skAdNetwork: .skAdNetwork(try readSKAdNetwork(document.members, keys: keys))
            case .adAttributionKit: .adAttributionKit(try readAttributionKit(document.members, keys: keys))
            }
        } catch {
            result = error.result
            problem = .fixed(error.problem)
            problemField = error.field
            return nil
        }
    }

    private mutating func take(_ result: PostbackResult) {
        self.result = result
        if result == .malformed { key = nil }
        guard result == .malformed || result == .unverifiable else {
            problem = nil
            problemField = nil
            return
        }
        guard problem == nil else { return }
        problem = .fixed("was so when it was received")
        problemField = framework == .adAttributionKit ? "kid" : "version"
    }

    // MARK: Signatures

    private mutating func check(_ postback: SignedPostback) throws(Failure) {
        guard let key = postback.key else { return }
        var fits = try hasFit(key, postback.signature, digest(skAdNetworkText(postback.fields)))
        // Apple may leave a source-app-id of 0 out of the signed text.
        if !fits, self[.sourceAppID]?.integer == 0 {
            omitsSourceApp = true
            var fields = postback.fields
            fields.remove(.sourceAppID)
            fits = try hasFit(key, postback.signature, digest(skAdNetworkText(fields)))
        }
        result = key.result(fits)
        if fits { prove(postback.fields) }
    }

    private mutating func check(_ postback: SignedJWS) throws(Failure) {
        guard let key = postback.key, let text = string(.jws) else { return }
        let signed = UnsafeRawBufferPointer(rebasing: text.prefix(postback.jws.signedCount))
        let digest = sha256(signed)
        result = key.result(try hasFit(key, SignatureForm.der(ofJWS: postback.jws.signature), digest))
    }

    private mutating func hasFit(_ key: PublicKey, _ signature: [UInt8], _ digest: SHA256) throws(Failure) -> Bool {
        signatureChecks &+= 1
        return try key.fits(signature, digest)
    }

    private mutating func prove(_ fields: PostbackFieldSet) {
        signed = fields
        if omitsSourceApp { signed.remove(.sourceAppID) }
    }

    // MARK: What names it

    /// Rules, "Duplicate postbacks": makes the key, a hash of the values that identify the postback. The lengths come
    /// before the texts, so that no two postbacks give the same text to hash.
    @_optimize(size)
    private mutating func makeKey() {
        guard result != .malformed, let network = known(.adNetworkID), let id = known(.transactionID) else { return }
        var text = ByteBuffer(capacity: network.count &+ id.count &+ 64)
        text.append(decimal: Int64(framework.rawValue))
        text.append(" ")
        text.append(decimal: self[.sequenceIndex]?.integer ?? 0)
        text.append(" ")
        text.append(decimal: Int64(network.count))
        text.append(" ")
        text.append(decimal: Int64(id.count))
        text.append(" ")
        text.append(network)
        text.append(id)
        key = add(postbackKey("postback/", digest(text)))
    }

    private func known(_ field: PostbackField) -> UnsafeRawBufferPointer? {
        guard let value = self[field], value.isText else { return nil }
        return texts[value.place]
    }

    private mutating func add(_ text: borrowing ByteBuffer) -> TextPlace { text.withBytes { texts.add($0) } }
}

/// The key of a record: a prefix, followed by 64 hexadecimal digits.
package func postbackKey(_ prefix: StaticString, _ digest: SHA256) -> ByteBuffer {
    var key = ByteBuffer(capacity: 80)
    key.append(prefix)
    digest.write(to: &key)
    return key
}

/// A postback that is ready for its signature to be checked.
private enum SignedContent {
    case skAdNetwork(SignedPostback)
    case adAttributionKit(SignedJWS)
}

/// The framework of a postback. It is AdAttributionKit if the document has a JWS and no attribution-signature,
/// otherwise SKAdNetwork, which ignores a member named `jws-string`. A signature that is null or empty counts as
/// missing, because services that forward postbacks of both frameworks in one format write such values.
private func postbackFramework(_ document: JSONDocument) -> PostbackFramework {
    guard let jws = document.value("jws-string") else { return .skAdNetwork }
    guard let signature = document.value("attribution-signature") else { return .adAttributionKit }
    let isThere = signature.kind != .null && (signature.kind != .string || signature.text.count > 2)
    return isThere || jws.kind == .null ? .skAdNetwork : .adAttributionKit
}

private func digest(_ text: borrowing ByteBuffer) -> SHA256 { text.withBytes { sha256($0) } }

extension PublicKey {
    fileprivate func result(_ fits: Bool) -> PostbackResult {
        fits ? isDevelopment ? .development : .valid : .invalid
    }
}
