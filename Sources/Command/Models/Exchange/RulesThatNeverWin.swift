import SKANCommandOutput
import SKANCore
import SKANSystem

extension WrittenModel {
    /// Removes rules that can never win, and notes each. Vendors' schemas may have such rules, but models may not.
    func leaveOutRulesThatNeverWin(_ imported: inout ImportedModel) {
        while let place = imported.model.ruleThatNeverWins() {
            let (window, number, isCoarse) = place
            let list: StaticString = isCoarse ? "coarse rule" : "rule"
            let rule: WrittenRule?
            if isCoarse {
                rule = imported.model.windows[window].coarseRules?.remove(at: number)
            } else {
                rule = imported.model.windows[window].rules.remove(at: number)
            }
            let value = valueWords(
                fine: rule?.fine.map { UInt8(clamping: $0) }, coarse: rule?.coarse.map { UInt8(clamping: $0) },
                locks: false)
            imported.note(
                "window \(window): a \(list) for \(value) is left out: wherever it holds, one that wins holds too")
        }
    }

    /// Finds a rule that can never win, for which the model's check refuses the document; nil if there is none.
    private func ruleThatNeverWins() -> (window: Int, rule: Int, isCoarse: Bool)? {
        do throws(Failure) {
            _ = try text.utf8.withBytes { bytes throws(Failure) in try ConversionModel.read(json: bytes) }
            return nil
        } catch {
            return place(in: error.message.utf8)
        }
    }

    /// Parses the place in a refusal such as: model at "/windows/0/rules/3": can never win…
    private func place(in message: [UInt8]) -> (window: Int, rule: Int, isCoarse: Bool)? {
        let parts = message.split(separator: UInt8(ascii: "\""), maxSplits: 2)
        guard parts.count == 3, parts[2].starts(with: StaticString(": can never win").bytes) else { return nil }
        let steps = parts[1].split(separator: UInt8(ascii: "/"))
        guard steps.count == 4, let window = wholeNumber(ofDigits: [UInt8](steps[1])),
            let rule = wholeNumber(ofDigits: [UInt8](steps[3]))
        else { return nil }
        let isCoarse = steps[2].elementsEqual(StaticString("coarse_rules").bytes)
        let (place, number) = (Int(window), Int(rule))
        guard windows.indices.contains(place) else { return nil }
        let count = isCoarse ? windows[place].coarseRules?.count ?? 0 : windows[place].rules.count
        return number < count ? (place, number, isCoarse) : nil
    }
}
