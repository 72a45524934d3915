package import SKANCore

/// A postback with what its networks and its receiver need: the transaction id and the signature.
package struct PostbackText {
    private let postback: Postback
    private let transaction: Message

    package init(_ postback: Postback, transaction: Message) {
        (self.postback, self.transaction) = (postback, transaction)
    }

    /// The text that a device signs.
    package var signed: [UInt8] { postback.version == .adAttributionKit ? token : joined }

    /// `signature`: of SKAdNetwork in base64, of AdAttributionKit in unpadded base64url.
    package func body(signature: [UInt8]) -> [UInt8] {
        let signature = Message(utf8: signature)
        guard postback.version != .adAttributionKit else {
            return Message("{\"jws-string\":\"\(Message(utf8: token)).\(signature)\"\(value)\(country)}").utf8
        }
        let (redownload, won) = (word(postback.isRedownload), word(postback.isWinning))
        return Message(
            """
            {"version":"\(version)","ad-network-id":"\(networkName(postback.network))",\(campaign),"app-id":\(app),\
            "transaction-id":"\(transaction)","redownload":\(redownload),"fidelity-type":1,"did-win":\(won)\
            \(source)\(country)\(windowIndex)\(value),"attribution-signature":"\(signature)"}
            """
        ).utf8
    }

    /// The fields of SKAdNetwork in Apple's order; absent ones are left out with their separator.
    private var joined: [UInt8] {
        var parts: [Message] = [version, networkName(postback.network), "\(postback.identifier)", app, transaction]
        parts.append(word(postback.isRedownload))
        switch postback.source {
        case .app(let place): parts.append("\(sourceApp(place))")
        case .domain(let place): parts.append(sourceDomain(place))
        case nil: break
        }
        // The fidelity-type.
        parts += ["1", word(postback.isWinning)]
        if postback.version == .skan4 { parts.append("\(postback.window)") }
        var text = ByteBuffer(capacity: 200)
        for (place, part) in parts.enumerated() {
            if place > 0 { text.append("\u{2063}") }
            part.utf8.withUnsafeBytes { text.append($0) }
        }
        return text.array
    }

    /// The header and the payload of AdAttributionKit's JWS.
    private var token: [UInt8] {
        let header: Message = "{\"alg\":\"ES256\",\"kid\":\"apple-cas-identifier/0\"}"
        return encoded(header) + [UInt8(ascii: ".")] + encoded(payload)
    }

    private var payload: Message {
        let type: Message = postback.isRedownload ? "redownload" : "download"
        return """
            {"postback-identifier":"\(transaction)","ad-network-identifier":"\(networkName(postback.network))",\
            "advertised-item-identifier":\(app),"source-identifier":"\(postback.identifier)",\
            "did-win":\(word(postback.isWinning)),"postback-sequence-index":\(postback.window),\
            "conversion-type":"\(type)"\(publisher)\(marketplace)}
            """
    }

    private func encoded(_ text: Message) -> [UInt8] { text.utf8.withUnsafeBytes { Base64.url.encode($0) } }

    private var app: Message { "525463029" }

    private var version: Message { postback.version == .skan3 ? "3.0" : "4.0" }

    private var campaign: Message {
        postback.version == .skan3
            ? "\"campaign-id\":\(postback.identifier)" : "\"source-identifier\":\"\(postback.identifier)\""
    }

    private var source: Message {
        switch postback.source {
        case .app(let place): ",\"source-app-id\":\(sourceApp(place))"
        case .domain(let place): ",\"source-domain\":\"\(sourceDomain(place))\""
        case nil: ""
        }
    }

    /// AdAttributionKit has no field for a website.
    private var publisher: Message {
        guard case .app(let place) = postback.source else { return "" }
        return ",\"publisher-item-identifier\":\(sourceApp(place))"
    }

    private var marketplace: Message {
        postback.hasMarketplace ? ",\"marketplace-identifier\":\"com.apple.AppStore\"" : ""
    }

    private var country: Message {
        guard let place = postback.country else { return "" }
        let codes: [StaticString] = ["US", "DE", "JP", "BR", "KR", "TR"]
        return ",\"country-code\":\"\(codes[place % codes.count])\""
    }

    private var windowIndex: Message {
        postback.version == .skan4 ? ",\"postback-sequence-index\":\(postback.window)" : ""
    }

    private var value: Message {
        if let fine = postback.fine { return ",\"conversion-value\":\(fine)" }
        guard let coarse = postback.coarse else { return "" }
        let words: [StaticString] = ["low", "medium", "high"]
        return ",\"coarse-conversion-value\":\"\(words[min(Int(coarse), 2)])\""
    }

    private func word(_ value: Bool) -> Message { value ? "true" : "false" }
    private func sourceApp(_ place: Int) -> Int { 1_234_567_890 + place }
    private func sourceDomain(_ place: Int) -> Message { "site-\(place).example" }
}

package func networkName(_ network: Int) -> Message { "network-\(network).example" }
