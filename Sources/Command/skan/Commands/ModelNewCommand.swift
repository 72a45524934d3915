import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelNew = Subcommand(
        "model new", [], summary: "prints a model made from a line",
        """
        The values of the model count up over all states of its digits, of which the first one given is the most \
        significant. A digit's bounds are where its states begin; below the first one nothing is asked for. There can \
        be 64 values and 6 digits. A third each of the values is low, medium and high, and windows 1 and 2 get the \
        same three from the first digit. For example:
          skan model new --bands iap:0.01,1,5,10 --flag level_10 --sessions 3
        """,
        [], values: NewModelLine(),
        options: OptionGroup(
            "Digits",
            .value(
                "bands", "KIND:A,B,...",
                "Revenue of kind iap, ad or all in the window, or since install as KIND:lifetime:A,B,...",
                isRepeatable: true
            ) { line, given throws(CommandEnd) in line.digits.append(try .bands(given)) },
            .value("flag", "EVENT", "Whether an event came.", isRepeatable: true) {
                $0.digits.append(.flag($1.utf8))
            },
            .value("count", "EVENT:A,B,...", "How often an event came.", isRepeatable: true) {
                line, given throws(CommandEnd) in line.digits.append(try .counts(given))
            },
            .value("sessions", "A,B,...", "How many sessions there were.") {
                $0.digits.append(.sessions($1.utf8))
            },
            .value("days", "A,B,...", "The days since install.") {
                $0.digits.append(.days($1.utf8))
            },
            .value("hours", "A,B,...", "The hours since install.") {
                $0.digits.append(.hours($1.utf8))
            }),
        OptionGroup(
            "The model",
            .value("id", "ID", "The model's id.", byDefault: "new") {
                $0.id = $1.utf8
            },
            .number("protocol", "N", 3...4, { $1(&$0.protocolNumber) }, "4, or 3 without coarse values."),
            .value("currency", "CODE", "What revenue counts in.", byDefault: "USD") {
                $0.currency = $1.utf8
            },
            .value("rate", "CODE=RATE", "What one of another currency counts.", isRepeatable: true) {
                line, given throws(CommandEnd) in
                guard let (currency, rate) = given.pair else {
                    throw given.refused(expected: "CODE=RATE, such as EUR=1.09")
                }
                line.rates.append((currency, rate))
            })
    ) { given throws(CommandEnd) in
        let line = given.values
        var model = NewModel(id: line.id, line.protocolNumber == 3 ? .skan3 : .skan4, currency: line.currency)
        for (currency, rate) in line.rates { model.addRate(currency, rate) }
        for digit in line.digits { model.add(digit) }
        try model.print()
        return .fine
    }
}

private struct NewModelLine: Sendable {
    var digits: [NewDigit] = []
    var id = [UInt8](StaticString("new").bytes)
    var protocolNumber: Int64 = 4
    var currency = [UInt8](StaticString("USD").bytes)
    var rates: [(currency: [UInt8], rate: [UInt8])] = []
}

extension NewDigit {
    fileprivate static func bands(_ given: GivenValue) throws(CommandEnd) -> NewDigit {
        guard let digit = NewDigit(bands: given.utf8) else {
            throw given.refused(expected: "KIND:A,B,..., such as iap:0.01,1,5,10 or all:lifetime:1,5")
        }
        return digit
    }

    fileprivate static func counts(_ given: GivenValue) throws(CommandEnd) -> NewDigit {
        guard let digit = NewDigit(counts: given.utf8) else {
            throw given.refused(expected: "EVENT:A,B,..., such as purchase:1,3")
        }
        return digit
    }
}
