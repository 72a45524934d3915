internal import SKANCore

extension JSONWriter {
    /// "brought": of each horizon estimate, interval and return on ad spend, or why there is none.
    mutating func writeBrought(_ brought: BroughtLine, cost: Money?) {
        key("brought")
        beginObject()
        for horizon in Horizon.allCases {
            key(horizon.key)
            beginObject()
            write(brought[horizon].figure, places: 2)
            key("return_on_ad_spend")
            beginObject()
            write(brought.returnOnAdSpend(horizon, cost), places: 4)
            endObject()
            writeReason(brought[horizon])
            endObject()
        }
        endObject()
    }

    /// "organic" and "store_installs": with the total they add up.
    mutating func write(_ organic: OrganicInstalls) {
        write("organic", organic.installs, organic.answers)
        write("store_installs", organic.storeInstalls, organic.storeAnswers)
    }

    private mutating func write(_ name: StaticString, _ installs: UInt64?, _ answers: [BroughtAnswer]) {
        key(name)
        beginObject()
        member("installs", installs.map { Int64(clamping: $0) })
        for (horizon, answer) in zip(Horizon.allCases, answers) {
            key(horizon.key)
            write(answer)
        }
        endObject()
    }

    /// An estimate with its interval, or why there is none.
    mutating func write(_ answer: BroughtAnswer) {
        beginObject()
        write(answer.figure, places: 2)
        writeReason(answer)
        endObject()
    }

    private mutating func write(_ figure: BroughtFigure?, places: Int) {
        member("estimate", text: figure.flatMap { BroughtFigure.text($0.estimate, places: places) }?.utf8)
        member("low", text: figure.flatMap { BroughtFigure.text($0.low, places: places) }?.utf8)
        member("high", text: figure.flatMap { BroughtFigure.text($0.high, places: places) }?.utf8)
    }

    private mutating func writeReason(_ answer: BroughtAnswer) {
        member("why_not", text: answer.whyNot.map { [UInt8]($0.key.bytes) })
    }

    /// "rests_on".
    mutating func write(_ basis: BroughtBasis) {
        key("rests_on")
        beginObject()
        member("installs_store", text: basis.store.utf8)
        key("installs")
        beginObject()
        for horizon in Horizon.allCases { write(horizon.key, count: basis.installs[horizon.rawValue]) }
        endObject()
        key("installs_left_out")
        beginObject()
        for reason in basis.left.reasons { write(reason.key, count: reason.count) }
        endObject()
        write("installs_with_unrated_revenue", count: basis.left.unrated)
        key("other_models")
        beginArray()
        for (version, installs) in basis.left.versions {
            beginObject()
            member("model", text: Message(writing: version.write).utf8)
            write("installs", count: installs)
            endObject()
        }
        endArray()
        key("told_installs")
        beginObject()
        write("fine", count: basis.fine)
        write("coarse", count: basis.coarse)
        write("hidden", count: basis.hidden)
        endObject()
        key("too_young")
        beginObject()
        for horizon in Horizon.dated { write(horizon.key, count: basis.young[horizon.rawValue]) }
        endObject()
        member("fewest_installs_behind_a_value", basis.fewestBehindValue.map { Int64(clamping: $0) })
        key("values")
        beginArray()
        for told in basis.behind {
            beginObject()
            member("model", text: Message(writing: told.model.write).utf8)
            member("fine", Int64(told.value))
            write("installs", count: told.installs)
            write("postbacks", count: told.postbacks)
            endObject()
        }
        endArray()
        key("warnings")
        beginArray()
        for warning in basis.warnings {
            beginObject()
            member("assumption", text: [UInt8](warning.key.bytes))
            member("share", text: BroughtFigure.text(warning.share, places: 4)?.utf8)
            member("text", text: warning.sentence.utf8)
            endObject()
        }
        endArray()
        key("assumptions")
        beginArray()
        for assumption in BroughtBasis.assumptions { string(assumption) }
        endArray()
        endObject()
    }
}
