package import SKANCommandRows
import SKANCore
import SKANSystem

/// A placeholder in braces in the query of a partner's URL. It stands for a column of the postback's row or for a
/// property of the message.
package enum PartnerPlaceholder {
    /// The message's id, by which the partner recognises a repeated message. The URL of every GET must contain it.
    case id
    /// The name of the network that the partner belongs to.
    case network
    case column(RowColumn)

    /// Makes the placeholder whose name, the text between the braces, is `name`; nil if there is none.
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

    /// nil if the postback's row has no such value.
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
