/// Rules, "Endpoint decisions", "Published endpoint": the JSON object of an endpoint's answer.
extension JSONWriter {
    /// Writes an answer with a value, or without one if `update` is nil. `fine`: the install's fine value, which the
    /// answer also has in windows 1 and 2, where only the coarse value counts.
    package mutating func answer(fine: UInt8?, _ update: ValueUpdate?) {
        beginObject()
        if let update {
            key("conversion_value")
            integer(Int64(update.window == .first ? update.fine ?? fine ?? 0 : fine ?? 0))
            if let coarse = update.coarse {
                key("skan_updated_coarse_value")
                integer(Int64(coarse))
            }
            if update.locksWindow {
                key("skan_updated_lock_window_value")
                bool(true)
            }
            key("postback_sequence_index")
            integer(Int64(update.window.rawValue))
        }
        endWithOK()
    }

    /// Writes an answer with a SKAN 3 value, or with the empty text if there is none.
    package mutating func answer(skan3 fine: UInt8?) {
        beginObject()
        key("conversion_value")
        if let fine { integer(Int64(fine)) } else { string("") }
        endWithOK()
    }

    private mutating func endWithOK() {
        key("status")
        string("ok")
        endObject()
    }

    package mutating func answerRejection(_ reason: Message) {
        beginObject()
        key("status")
        string("error")
        key("reason")
        reason.utf8.withUnsafeBytes { string(utf8: $0) }
        endObject()
    }
}
