internal import SKANCore

/// A conversion model, and what it said of the values that were asked for.
final class RevenueModel {
    let model: ConversionModel
    private var worths: [ValueWorth?]

    /// Of fine values and of coarse ones, with none.
    private static var fineChoices: Int { ValueCounts.fineValues + 1 }
    private static var coarseChoices: Int { ValueCounts.coarseValues + 1 }

    init(_ model: ConversionModel) {
        self.model = model
        worths = [ValueWorth?](
            repeating: nil, count: Window.count * RevenueModel.fineChoices * RevenueModel.coarseChoices)
    }

    /// Values of a postback; nil = hidden, one of them not.
    func worth(_ window: Window, fine: Int?, coarse: Int?) -> ValueWorth {
        let (fine, coarse) = (fine ?? -1, coarse ?? -1)
        let row = Int(window.rawValue) * RevenueModel.fineChoices + fine + 1
        let place = row * RevenueModel.coarseChoices + coarse + 1
        guard worths.indices.contains(place) else { return .undecodable }
        if let known = worths[place] { return known }
        let found = ask(Int32(window.rawValue), Int32(truncatingIfNeeded: fine), Int32(truncatingIfNeeded: coarse))
        worths[place] = found
        return found
    }

    private func ask(_ window: Int32, _ fine: Int32, _ coarse: Int32) -> ValueWorth {
        do throws(Failure) {
            guard let decoded = try model.decode(window: window, fine: fine, coarse: coarse) else {
                return .undecodable
            }
            return ValueWorth(decoded)
        } catch {
            return .undecodable
        }
    }
}
