import SKANCommandOutput
import SKANCore
import SKANSystem

/// `line`: the line of the history that has the step.
func printTrialDocument(_ step: HistoryStep, line: Bytes, _ result: TrialResult) {
    var json = JSONWriter(capacity: 2048)
    json.beginObject()
    json.member("line", Int64(clamping: step.number))
    json.member("time", step.time)
    json.member("day", result.day(at: step.time))
    json.key("step")
    json.json(utf8: line)
    json.key("status")
    json.string(result.status.name)
    json.key("update")
    json.write(result.update)
    json.key("why")
    if let reason = result.reason(step) { json.text(reason) } else { json.null() }
    json.key("seen")
    if let seen = result.explanation { seen.utf8.withUnsafeBytes { json.json(utf8: $0) } } else { json.null() }
    json.endObject()
    StandardOutput.line(json.finish())
}

extension JSONWriter {
    fileprivate mutating func write(_ update: ValueUpdate?) {
        guard let update else { return null() }
        beginObject()
        key("id")
        json { $0.append(decimal: update.id) }
        member("window", Int64(update.window.rawValue))
        member("fine", update.fine.map { Int64($0) })
        member("coarse", update.coarse.map { Int64($0) })
        member("lock", update.locksWindow)
        endObject()
    }
}
