/// Rules, "Model document", "Model refusals": reads a conversion model. Throws INVALID_DOCUMENT, with the place and the
/// reason, if the document breaks a rule.
extension ConversionModel {
    @_optimize(size)
    package static func read(_ root: DocumentNode, version: SHA256) throws(Failure) -> ConversionModel {
        try root.requireObject("schema id protocol conversion currency rates raise_only measures windows")
        _ = try root.required("schema")
        _ = try root.integer("schema", max: 1, min: 1)
        let isSKAN3 = try root.integer("protocol", max: 4, min: 3) == 3
        let isForReengagements = try root.word("conversion", of: "install re-engagement") == 1
        if isForReengagements, isSKAN3 { throw root.refuse(member: "conversion", "SKAN 3 has no re-engagements") }
        if isForReengagements, root.member("measures") != nil {
            throw root.refuse(member: "measures", "a model for re-engagements has none")
        }
        let reader = ModelReader(
            isSKAN3 ? .skan3 : .skan4, isForReengagements: isForReengagements,
            raiseOnly: try root.boolean("raise_only", otherwise: true))
        let id = try root.required("id")
        guard let name = id.content, name.count >= 1, name.count <= Limits.modelIDBytes,
            name.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E })
        else { throw id.expected("1 to \(Limits.modelIDBytes) printable ASCII characters") }
        let currency = try root.currency()
        let rates = try root.rates(currency)
        try reader.readMeasures(root)
        let windows = try reader.windows(root)
        return ConversionModel(
            version: version, id: name, protocolVersion: reader.protocolVersion,
            isForReengagements: isForReengagements, currency: currency, rates: rates, raiseOnly: reader.raiseOnly,
            events: reader.events, measures: reader.measures, shown: reader.shown, windows: windows)
    }
}

extension DocumentNode {
    fileprivate func currency() throws(Failure) -> Currency {
        guard let member = member("currency") else { return Currency(known: 0x55_5344) }  // USD
        guard let text = member.content, let currency = Currency(capitals: text) else {
            throw member.expected("three capital letters")
        }
        return currency
    }

    @_optimize(size)
    fileprivate func rates(_ own: Currency) throws(Failure) -> [ModelRate] {
        guard let object = member("rates") else { return [] }
        try object.requireObject()
        var rates: [ModelRate] = []
        for member in object.children {
            guard let currency = Currency(capitals: member.key) else {
                throw member.refuse("expected a currency of three capital letters as key")
            }
            guard let units = member.rateUnits() else {
                throw member.expected("decimal text above 0 and below 1e12 with at most 12 places")
            }
            guard currency != own else {
                guard units == Money.scale else { throw member.expected("1, the rate of the model's own currency") }
                continue
            }
            rates.append(ModelRate(currency: currency, units: units))
            var place = rates.count &- 1
            while place > 0, currency < rates[place &- 1].currency {
                rates.swapAt(place, place &- 1)
                place &-= 1
            }
        }
        return rates
    }

    /// Reads a rate, in units of 10⁻¹²: plain decimal text, 0 < rate < 10¹².
    private func rateUnits() -> Int128? {
        guard let text = content, text.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }),
            let units = exactUnits(), units > 0, units < Money.scale * Money.scale
        else { return nil }
        return units
    }
}

extension Currency {
    /// Reads three capital letters; nil for any other text.
    fileprivate init?(capitals text: [UInt8]) {
        guard text.count == 3 else { return nil }
        self.init(code: UInt32(text[0]) << 16 | UInt32(text[1]) << 8 | UInt32(text[2]))
    }
}

extension ConversionModel {
    /// Rules, "Model document": reads a conversion model's document. Throws INVALID_DOCUMENT.
    package static func read(json: UnsafeRawBufferPointer) throws(Failure) -> ConversionModel {
        guard json.count <= Limits.modelBytes else {
            throw invalid("\(json.count) bytes, the limit is \(Limits.modelBytes)")
        }
        do throws(JSONFault) {
            _ = try JSONDocument(json)
        } catch {
            throw invalid("\(error.description), in \(quoted: json)")
        }
        return try read(DocumentNode(checked: json), version: SHA256(of: json))
    }

    /// A failure of the document as a whole, whose JSON pointer is empty.
    private static func invalid(_ reason: Message) -> Failure {
        Failure(.invalidDocument, "model at \"\": \(reason)")
    }
}
