import SKANCommandOutput
import SKANCore

/// The columns of a campaigns' file.
enum CampaignColumn: Int, CaseIterable {
    case network, identifier, campaign, adSet, cost, currency, networkName, date, app

    var name: StaticString {
        switch self {
        case .network: "network"
        case .identifier: "identifier"
        case .campaign: "campaign"
        case .adSet: "ad_set"
        case .cost: "cost"
        case .currency: "currency"
        case .networkName: "network_name"
        case .date: "date"
        case .app: "app"
        }
    }
}

/// The index of each column in a campaigns' file, as its first row names them.
struct CampaignColumns {
    private var places = InlineArray<9, Int?>(repeating: nil)
    let count: Int

    init(_ header: borrowing CSVReader) throws(CommandEnd) {
        count = header.cells.count
        for (place, cell) in header.cells.enumerated() {
            guard let column = CampaignColumn.allCases.first(where: { cell.elementsEqual($0.name.bytes) }) else {
                throw header.fault(
                    column: place + 1,
                    """
                    expected network, identifier, campaign, ad_set, cost, currency, network_name, date or app, \
                    got "\(Message(utf8: cell))"
                    """)
            }
            guard places[column.rawValue] == nil else {
                throw header.fault(column: place + 1, "\"\(Message(utf8: cell))\" appears twice")
            }
            places[column.rawValue] = place
        }
        for column in [CampaignColumn.network, .identifier] where places[column.rawValue] == nil {
            throw header.fault(column: count, "expected a column \"\(column.name)\"")
        }
    }

    /// The text of a cell in this row; empty if the file does not have the column.
    func cell(_ column: CampaignColumn, of row: borrowing CSVReader) -> [UInt8] {
        guard let place = places[column.rawValue], place < row.cells.count else { return [] }
        return row.cells[place]
    }

    func fault(_ column: CampaignColumn, of row: borrowing CSVReader, _ why: Message) -> CommandEnd {
        row.fault(column: (places[column.rawValue] ?? 0) + 1, why)
    }
}
