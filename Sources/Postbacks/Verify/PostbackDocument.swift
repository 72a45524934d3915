internal import SKANCore

/// Writes a postback as JSON, with signed and unsigned fields separate, under Apple's names.
extension PostbackReading {
    @_optimize(size)
    func json() -> ByteBuffer {
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        writer.key("framework")
        writer.string(framework.name)
        writer.key("result")
        writer.string(result.name)
        writer.key("version")
        write(version, to: &writer)
        writer.key("key")
        write(key.map { .told($0) }, to: &writer)
        writer.member("respelled", isRespelled)
        writer.key("problem")
        if let problem {
            writer.beginObject()
            writer.key("field")
            write(problemField.map { .fixed($0) }, to: &writer)
            writer.key("reason")
            write(problem, to: &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("signed")
        writeFields(areSigned: true, to: &writer)
        writer.key("unsigned")
        writeFields(areSigned: false, to: &writer)
        writer.key("illegal")
        writer.beginArray()
        for field in illegal { write(field.unsignedName.map { .fixed($0) }, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// Writes either the signed or the unsigned fields. In AdAttributionKit, the whole payload counts as signed if the
    /// signature matches, otherwise as unsigned.
    @_optimize(size)
    private func writeFields(areSigned: Bool, to writer: inout JSONWriter) {
        writer.beginObject()
        switch framework {
        case .adAttributionKit:
            if areSigned == result.isProven {
                for member in payload { write(texts[member.name], member.value, to: &writer) }
            }
            for field in PostbackField.unsigned where !areSigned { write(field, field.unsignedName, to: &writer) }
        case .skAdNetwork:
            for field in PostbackField.allCases where field != .signature && signed.contains(field) == areSigned {
                write(field, field.skAdNetworkName, to: &writer)
            }
        }
        writer.endObject()
    }

    private func write(_ field: PostbackField, _ name: StaticString?, to writer: inout JSONWriter) {
        if let value = self[field], let name { write(texts[.fixed(name)], value, to: &writer) }
    }

    private func write(_ name: UnsafeRawBufferPointer, _ value: PostbackValue, to writer: inout JSONWriter) {
        writer.key(utf8: name)
        if value.kind == .string {
            writer.string(utf8: texts[value.place])
        } else {
            writer.json(utf8: texts[value.place])
        }
    }

    private func write(_ words: PostbackWords?, to writer: inout JSONWriter) {
        if let words { writer.string(utf8: texts[words]) } else { writer.null() }
    }
}
