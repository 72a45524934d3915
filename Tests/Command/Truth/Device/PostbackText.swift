package import SKANCore

/// A postback with what its networks and its receiver need: the transaction id and the signature.
package struct PostbackText {
    private let postback: Postback
    private let transaction: Message

    package init(_ postback: Postback, transaction: Message) {
        (self.postback, self.transaction) = (postback, transaction)
    }

    /// The text that a device signs, in Apple's order; absent fields are left out with their separator.
    package var signed: [UInt8] {
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

    /// `signature`: in base64.
    package func body(signature: [UInt8]) -> [UInt8] {
        let (redownload, won) = (word(postback.isRedownload), word(postback.isWinning))
        return Message(
            """
            {"version":"\(version)","ad-network-id":"\(networkName(postback.network))",\(campaign),"app-id":\(app),\
            "transaction-id":"\(transaction)","redownload":\(redownload),"fidelity-type":1,"did-win":\(won)\
            \(source)\(country)\(windowIndex)\(value),"attribution-signature":"\(Message(utf8: signature))"}
            """
        ).utf8
    }

    private var app: Message { "525463029" }

    private var version: Message { postback.version == .skan3 ? "3.0" : "4.0" }

    private var campaign: Message {
        switch postback.version {
        case .skan3: "\"campaign-id\":\(postback.identifier)"
        case .skan4: "\"source-identifier\":\"\(postback.identifier)\""
        }
    }

    private var source: Message {
        switch postback.source {
        case .app(let place): ",\"source-app-id\":\(sourceApp(place))"
        case .domain(let place): ",\"source-domain\":\"\(sourceDomain(place))\""
        case nil: ""
        }
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
