internal import SKANCore

/// The values that the rules of a window do not give, nor registering: ascending.
struct UnusedValues {
    let fine: [Int]
    let coarse: [Int]

    init(_ model: ConversionModel, window: Int) {
        let rules = model.windows[window].rules
        let coarseRules = model.windows[window].coarseList.map { $0.rules } ?? rules
        let isFirst = window == 0
        fine = (0..<(isFirst ? 64 : 0)).filter { value in
            value != Int(registrationFine) && !rules.contains { $0.fine.map { Int($0) } == value }
        }
        let coarseValues = model.protocolVersion == .skan3 ? 0 : 3
        coarse = (0..<coarseValues).filter { value in !coarseRules.contains { $0.coarse.map { Int($0) } == value } }
    }
}
