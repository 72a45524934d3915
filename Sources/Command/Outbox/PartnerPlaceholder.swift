package import SKANCommandRows
import SKANCore
import SKANSystem

/// A placeholder in braces in the query of a partner's URL: a column of the postback's row, by its name, or a
/// property of the message.
package enum PartnerPlaceholder {
    /// The id, which the URL of every GET must contain, so that the partner can recognise a repeated notification.
    case id
    /// The network that the partner belongs to.
    case network
    case column(RowColumn)

    /// nil if the name is not a placeholder.
    init?(named name: some Collection<UInt8>) {
        for (own, word) in [(.id, "id"), (.network, "network")] as [(PartnerPlaceholder, StaticString)]
        where name.elementsEqual(word.bytes) {
            self = own
            return
        }
        guard let column = RowColumn.allCases.first(where: { name.elementsEqual($0.name.bytes) }) else { return nil }
        self = .column(column)
    }
}

/// The values of the placeholders in one call of a partner.
package struct PartnerValues {
    let id: [UInt8]
    let network: [UInt8]
    let row: PostbackRow

    /// The value of a placeholder; nil if it has none.
    subscript(placeholder: PartnerPlaceholder) -> [UInt8]? {
        switch placeholder {
        case .id: id
        case .network: network
        case .column(let column): row[column].inURL
        }
    }
}

extension PostbackRow.Cell {
    /// The cell as text for a URL: times in Unix seconds, true and false as 1 and 0.
    fileprivate var inURL: [UInt8]? {
        switch self {
        case .none: nil
        case .text(let text): text
        case .word(let word): [UInt8](word.bytes)
        case .time(let number), .number(let number): ("\(number)" as Message).utf8
        case .amount(let amount): Message(writing: amount.write).utf8
        case .truth(let truth): [UInt8]((truth ? "1" : "0").utf8)
        }
    }
}
