internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension GivenOption {
    /// "2026-01-31T10:00:00Z=model.json": the moment, and the file.
    func datedModel() throws(CommandEnd) -> (from: Int64, file: [UInt8]) {
        guard let (from, file) = parts else {
            throw .usage(what: name, why: "expected FROM=FILE, got \"\(value.message)\"")
        }
        guard let moment = unixSeconds(from) else {
            let got = Message(utf8: from)
            throw .usage(what: name, why: "expected 2026-01-31T10:00:00Z or Unix seconds, got \"\(got)\"")
        }
        return (moment, file)
    }

    /// The same, or a file alone: nil. A name of a file may have a "=" behind what is no moment.
    func modelFile() -> (from: Int64?, file: [UInt8]) {
        guard let (from, file) = parts, let moment = unixSeconds(from) else { return (nil, value.message.utf8) }
        return (moment, file)
    }

    private var parts: (from: [UInt8], file: [UInt8])? {
        let text = value.message.utf8
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")), 1..<64 ~= equals, equals + 1 < text.count else {
            return nil
        }
        return ([UInt8](text[..<equals]), [UInt8](text[(equals + 1)...]))
    }
}

/// A day, a moment, or Unix seconds.
private func unixSeconds(_ text: [UInt8]) -> Int64? {
    let isDay = text.count == 10 && text.contains(UInt8(ascii: "-"))
    return historySeconds(text) ?? historyTime(isDay ? text + [UInt8](StaticString("T00:00:00Z").bytes) : text)
}
