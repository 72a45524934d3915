internal import SKANCore

/// Rules, "Unsigned fields": fields that no signature covers. A field out of range is reported, and counts as absent.
extension PostbackReading {
    @_optimize(size)
    mutating func readUnsignedFields() {
        for field in PostbackField.unsigned {
            guard var value = self[field], value.kind != .null else { continue }
            let text = texts[value.place]
            switch field {
            case .conversionValue: value.integer = conversionValue(value, text)
            case .coarseValue: value.integer = value.kind == .string ? coarseValue(text) : nil
            case .countryCode: value.isText = value.kind == .string && isCountry(text)
            default: value.isText = value.kind == .string && (isText(text, "click") || isText(text, "view"))
            }
            if !value.isText, value.integer == nil { illegal.insert(field) }
            self[field] = value
        }
    }
}

/// 0...63.
private func conversionValue(_ value: PostbackValue, _ text: UnsafeRawBufferPointer) -> Int64? {
    guard value.kind == .number, let integer = wholeNumber(text), 0...63 ~= integer else { return nil }
    return integer
}

private func coarseValue(_ text: UnsafeRawBufferPointer) -> Int64? {
    if isText(text, "low") { return 0 }
    if isText(text, "medium") { return 1 }
    return isText(text, "high") ? 2 : nil
}

/// Whether it is two capital letters, as in ISO 3166-1.
private func isCountry(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == 2 else { return false }
    return text.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
}
