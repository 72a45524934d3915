/// Rules, "Endpoint decisions", "Published endpoint": the JSON object an endpoint answers with.
extension ByteBuffer {
    /// A value for a window; the fine value of an install in the windows where only the coarse one counts.
    package mutating func appendAnswer(fine: UInt8?, _ update: Update) {
        append("{\"conversion_value\":")
        append(decimal: UInt64(update.window == .first ? update.fine ?? fine ?? 0 : fine ?? 0))
        if let coarse = update.coarse {
            append(",\"skan_updated_coarse_value\":")
            append(decimal: UInt64(coarse))
        }
        if update.locksWindow { append(",\"skan_updated_lock_window_value\":true") }
        append(",\"postback_sequence_index\":")
        append(decimal: UInt64(update.window.rawValue))
        append(",\"status\":\"ok\"}")
    }

    /// SKAN 3: a value, or the empty text for none.
    package mutating func appendAnswer(skan3 fine: UInt8?) {
        append("{\"conversion_value\":")
        if let fine { append(decimal: UInt64(fine)) } else { append("\"\"") }
        append(",\"status\":\"ok\"}")
    }

    package mutating func appendNoValue() { append("{\"status\":\"ok\"}") }

    package mutating func appendRejection(_ reason: Message) {
        append("{\"status\":\"error\",\"reason\":\"")
        // Reasons hold no control bytes: what they quote of a request was checked.
        for byte in reason.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
            append(byte)
        }
        append("\"}")
    }
}
