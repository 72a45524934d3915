internal import SKANCore

/// What a postback says, and when it arrives.
struct Sent {
    var network: Int
    var identifier: Int
    var window: Window
    var isRedownload: Bool
    var fine: UInt8?
    var coarse: UInt8?
    var isWinning = true
    var isSKAN3 = false
    var time: Int64

    /// The text that a device signs.
    func signed(_ number: Int) -> [UInt8] {
        let (redownload, won) = (word(isRedownload), word(isWinning))
        var parts: [Message] = [
            "\(version)", networkName(network), "\(identifier)", "525463029", "t-\(number)", "\(redownload)", "1",
            "\(won)",
        ]
        if !isSKAN3 { parts.append("\(window.rawValue)") }
        var text = ByteBuffer(capacity: 200)
        for (place, part) in parts.enumerated() {
            if place > 0 { text.append("\u{2063}") }
            text.append(message: part)
        }
        return text.array
    }

    /// `signature`: in base64.
    func body(_ number: Int, signature: [UInt8]) -> [UInt8] {
        let (redownload, won) = (word(isRedownload), word(isWinning))
        return Message(
            """
            {"version":"\(version)","ad-network-id":"\(networkName(network))",\(campaign),"app-id":525463029,\
            "transaction-id":"t-\(number)","redownload":\(redownload),"fidelity-type":1,"did-win":\(won)\
            \(windowIndex)\(values),"attribution-signature":"\(Message(utf8: signature))"}
            """
        ).utf8
    }

    /// Its network, identifier and value.
    var words: Message {
        let value: Message = fine.map { "fine\t\($0)" } ?? coarse.map { "coarse\t\($0)" } ?? "hidden\t"
        let identifier: Message = isSKAN3 ? "campaign-id \(identifier)" : "\(identifier)"
        return "\(networkName(network))\t\(identifier)\t\(value)"
    }

    private var version: StaticString { isSKAN3 ? "3.0" : "4.0" }

    private var campaign: Message {
        isSKAN3 ? "\"campaign-id\":\(identifier)" : "\"source-identifier\":\"\(identifier)\""
    }

    private var windowIndex: Message { isSKAN3 ? "" : ",\"postback-sequence-index\":\(window.rawValue)" }

    private var values: Message {
        if let fine { return ",\"conversion-value\":\(fine)" }
        guard let coarse else { return "" }
        let word: StaticString = coarse == 0 ? "low" : coarse == 1 ? "medium" : "high"
        return ",\"coarse-conversion-value\":\"\(word)\""
    }

    private func word(_ value: Bool) -> StaticString { value ? "true" : "false" }
}

func networkName(_ network: Int) -> Message { "network-\(network).example" }
