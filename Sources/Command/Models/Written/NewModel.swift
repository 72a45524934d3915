package import SKANCommandOutput
package import SKANCore
import SKANSystem

/// A digit of a model that is made with `skan model new`: a quantity, and the bounds that divide its values.
package struct NewDigit: Sendable {
    let digit: WrittenDigit

    private init(_ subject: WrittenDigit.Subject, _ bounds: [UInt8]) {
        let bounds = bounds.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { [UInt8]($0) }
        digit = WrittenDigit(subject: subject, bounds: bounds)
    }

    /// Parses bands of revenue: "iap:0.01,1,5,10" for revenue within the window, "iap:lifetime:1,5" for revenue since
    /// the install; nil for any other text.
    package init?(bands text: [UInt8]) {
        guard let (words, bounds) = splitLast(text) else { return nil }
        let parts = words.split(separator: UInt8(ascii: ":")).map { Message(utf8: [UInt8]($0)) }
        guard let word = parts.first, parts.count <= 2 else { return nil }
        let kind: RevenueKind?
        switch word {
        case let word where word.isEqual("iap"): kind = .iap
        case let word where word.isEqual("ad"): kind = .ad
        case let word where word.isEqual("all"): kind = nil
        default: return nil
        }
        let isLifetime = parts.last?.isEqual("lifetime") ?? false
        guard parts.count == 1 || isLifetime || parts[1].isEqual("window") else { return nil }
        self.init(.revenue(RevenueAxis(kind, lifetime: isLifetime)), bounds)
    }

    /// Parses bounds of the number of times an event occurred, such as "purchase:1,3,5"; nil for any other text.
    package init?(counts text: [UInt8]) {
        guard let (event, bounds) = splitLast(text), !event.isEmpty else { return nil }
        self.init(.event(event), bounds)
    }

    /// Returns a digit that says whether an event occurred.
    package static func flag(_ event: [UInt8]) -> NewDigit { NewDigit(.event(event), [UInt8(ascii: "1")]) }
    package static func sessions(_ bounds: [UInt8]) -> NewDigit { NewDigit(.range(.sessions), bounds) }
    package static func days(_ bounds: [UInt8]) -> NewDigit { NewDigit(.range(.day), bounds) }
    package static func hours(_ bounds: [UInt8]) -> NewDigit { NewDigit(.range(.hours), bounds) }
}

/// A conversion model made from a list of digits, as `skan model new` makes it.
package struct NewModel {
    private let protocolVersion: ProtocolVersion
    private let id: [UInt8]
    private let currency: [UInt8]
    private var rates: [(currency: [UInt8], rate: [UInt8])] = []
    /// The most significant digit comes first.
    private var digits: [WrittenDigit] = []

    package init(id: [UInt8], _ protocolVersion: ProtocolVersion, currency: [UInt8]) {
        self.id = id
        self.protocolVersion = protocolVersion
        self.currency = currency
    }

    package mutating func addRate(_ currency: [UInt8], _ rate: [UInt8]) { rates.append((currency, rate)) }
    package mutating func add(_ digit: NewDigit) { digits.append(digit.digit) }

    // MARK: The document

    /// Prints the document, if `skan model check` accepts it.
    @export(interface)
    package func print() throws(CommandEnd) {
        guard !digits.isEmpty else {
            throw .usage(what: "model new", why: "expected at least one of --bands, --flag, --count, --sessions")
        }
        let states = digits.reduce(1) { min($0 * ($1.bounds.count + 1), 1000) }
        guard states <= 64 else {
            throw .usage(
                what: "model new", why: "these digits have more than 64 combinations, but there are only 64 fine values"
            )
        }
        var model = WrittenModel(id: id, windows: [])
        model.protocolVersion = protocolVersion
        model.currency = currency
        model.rates = rates
        var rule = WrittenRule(fine: 0, digits: digits)
        if protocolVersion == .skan4 { rule.coarseSteps = ((states + 2) / 3, (2 * states + 2) / 3) }
        model.windows = [WrittenWindow(rules: [rule])]
        if protocolVersion == .skan4 {
            let later = WrittenWindow(rules: laterRules)
            model.windows += [later, later]
        }
        _ = try model.printIfRight()
    }

    /// The rules of windows 1 and 2. They give up to three coarse values, divided by bounds of the first digit that is
    /// not a time. Each value ends where the next begins, so that reports know both ends of its range.
    private var laterRules: [WrittenRule] {
        let times = [WrittenDigit.Subject.range(.day), .range(.hours)]
        guard let digit = digits.first(where: { !times.contains($0.subject) }) else {
            return [WrittenRule(coarse: 0)]
        }
        let count = digit.bounds.count
        let (medium, high) = (count / 3, 2 * count / 3)
        return [digit.rule(from: nil, to: medium, coarse: 0)]
            + (medium < high ? [digit.rule(from: medium, to: high, coarse: 1)] : [])
            + [digit.rule(from: high, to: nil, coarse: 2)]
    }
}

extension WrittenDigit {
    /// Returns a rule for the values from the bound with the index `least` up to the one with the index `end`, which is
    /// excluded. nil means from 0, or without end.
    fileprivate func rule(from least: Int?, to end: Int?, coarse: Int) -> WrittenRule {
        var rule = WrittenRule(coarse: coarse)
        switch subject {
        case .event(let name):
            let least = least.map { wholeNumber(bounds[$0]) } ?? 0
            let count = WrittenRange(min: least, max: end.flatMap { wholeNumber(bounds[$0]) })
            rule.when.events = [WrittenEvent(name: name, count: count)]
        case .revenue(let axis):
            let range = WrittenRange(min: least.flatMap { amount(bounds[$0]) }, max: end.flatMap { amount(bounds[$0]) })
            rule.when.revenue = [WrittenRevenue(axis: axis, amount: range)]
        case .range(let key):
            rule.when[key] = WrittenRange(
                min: least.flatMap { wholeNumber(bounds[$0]) }, max: end.flatMap { wholeNumber(bounds[$0]) })
        }
        return rule
    }

    private func wholeNumber(_ text: [UInt8]) -> Int64? { text.withUnsafeBytes { DecimalNumber($0)?.integer } }
    private func amount(_ text: [UInt8]) -> Money? { text.withUnsafeBytes { Money(decimal: $0) } }
}

extension WrittenModel {
    /// Prints the document, if `skan model check` accepts it. Returns the model's version.
    func printIfRight() throws(CommandEnd) -> [UInt8] {
        let text = self.text
        let version: SHA256
        do throws(Failure) {
            version = try text.utf8.withBytes { bytes throws(Failure) in try ConversionModel.read(json: bytes).version }
        } catch {
            throw .complaint("the model from these options", error.message)
        }
        StandardOutput.write(text)
        return Message(writing: version.write).utf8
    }
}

/// Returns the parts before and after the last colon; nil if there is no colon.
private func splitLast(_ text: [UInt8]) -> ([UInt8], [UInt8])? {
    text.lastIndex(of: UInt8(ascii: ":")).map { ([UInt8](text[..<$0]), [UInt8](text[($0 + 1)...])) }
}

extension Message {
    func isEqual(_ text: StaticString) -> Bool { utf8.elementsEqual(text.bytes) }
}
