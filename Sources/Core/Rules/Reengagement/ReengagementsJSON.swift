/// Rules, "Details", "Re-engagement details": the stored re-engagements as JSON. Needs neither a clock nor models.
extension InstallState {
    @_optimize(size)
    package func writeReengagements(to json: inout JSONWriter) {
        json.beginArray()
        for reengagement in reengagements { reengagement.write(to: &json) }
        json.endArray()
    }
}

extension Reengagement {
    @_optimize(size)
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", Int64(number))
        json.member("tag", text: hasTag ? tag : nil)
        json.member("open_id", text: openID.isEmpty ? nil : openID)
        json.member("reference", text: reference.isEmpty ? nil : reference)
        json.member("start", start)
        json.key("ended")
        if let ended { json.string(ended.name) } else { json.null() }
        json.key("model")
        if let model = conversion.model { json.string(letters: { model.version.write(to: &$0) }) } else { json.null() }
        json.member("window", Int64(window.rawValue))
        json.member("sessions", Int64(conversion.model?.count(0, in: window) ?? 0))
        writeEvents(to: &json)
        json.key("revenue")
        json.beginObject()
        write(sums: "conversion", ofWindow: false, to: &json)
        write(sums: "window", ofWindow: true, to: &json)
        json.endObject()
        writeValues(to: &json)
        json.endObject()
    }

    @_optimize(size)
    private func writeEvents(to json: inout JSONWriter) {
        json.key("events")
        json.beginObject()
        counted.forEach { place, name in
            json.key(utf8: name)
            json.integer(Int64(conversion.model?.count(place, in: window) ?? 0))
        }
        json.endObject()
    }

    @_optimize(size)
    private func write(sums name: StaticString, ofWindow: Bool, to json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.key("iap")
        json.json { sums.sum(.iap, ofWindow: ofWindow).write(to: &$0) }
        json.key("ad")
        json.json { sums.sum(.ad, ofWindow: ofWindow).write(to: &$0) }
        json.endObject()
    }

    @_optimize(size)
    private func writeValues(to json: inout JSONWriter) {
        json.member("fine_value", conversion.fine.map { Int64($0) })
        json.key("coarse_value")
        json.beginArray()
        for window in Window.all { json.integer(conversion.windows[window].coarse.map { Int64($0) }) }
        json.endArray()
        json.key("window_lock")
        json.beginArray()
        for window in Window.all { json.integer(conversion.windows[window].lock) }
        json.endArray()
        json.key("update")
        if let update = conversion.lastUpdate { json.write(update) } else { json.null() }
        json.member("delivered", conversion.isLastUpdateDelivered)
    }
}

extension JSONWriter {
    @_optimize(size)
    fileprivate mutating func write(_ update: ValueUpdate) {
        beginObject()
        member("id", Int64(bitPattern: update.id))
        member("window", Int64(update.window.rawValue))
        member("fine_value", update.fine.map { Int64($0) })
        member("coarse_value", update.coarse.map { Int64($0) })
        member("lock_window", update.locksWindow)
        member("timestamp", update.timestamp)
        endObject()
    }
}

// MARK: Calls

extension [AppCall] {
    /// Rules, "Calls": a list of calls as a server sends it to the app: the number of seconds for which it is valid,
    /// then the calls.
    @_optimize(size)
    package func json(now: Int64) -> ByteBuffer {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.member("valid_seconds", first.map { Swift.max(0, $0.validUntil &- now) })
        json.key("calls")
        json.beginArray()
        for call in self { call.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.finish()
    }
}

extension AppCall {
    @_optimize(size)
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", Int64(bitPattern: id))
        json.member("conversion", Int64(conversion))
        json.key("framework")
        json.string(framework.name)
        json.key("conversion_type")
        if let name = type.name { json.string(name) } else { json.null() }
        json.member("window", Int64(window.rawValue))
        json.member("fine_value", Int64(fine))
        json.member("coarse_value", coarse.map { Int64($0) })
        json.member("lock_window", locksWindow)
        json.member("tag", text: tag.isEmpty ? nil : tag)
        json.endObject()
    }
}
