internal import SKANCore

/// Rules, "Respelled postbacks": signatures in other forms of base64 than Apple's.
enum RespelledSignature {
    /// Returns a signature in DER as padded base64; nil for any other text. It may have been received as base64url,
    /// without padding, with line breaks, or with blanks in place of `+`, as web forms produce them.
    static func standard(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count <= longest else { return nil }
        let plus = UInt8(ascii: "+")
        return der(text, blank: plus) ?? der(PostbackSpelling.trimmed(text), blank: plus) ?? der(text, blank: nil)
    }

    private static func der(_ text: UnsafeRawBufferPointer, blank: UInt8?) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count &+ 4)
        for letter in text where letter != UInt8(ascii: "=") {
            switch letter {
            case 0x20: if let blank { letters.append(blank) }
            case UInt8(ascii: "-"): letters.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): letters.append(UInt8(ascii: "/"))
            default: if !isSpace(letter) { letters.append(letter) }
            }
        }
        while letters.count & 3 != 0 { letters.append(UInt8(ascii: "=")) }
        guard let bytes = letters.withUnsafeBytes({ Base64.standard.decode($0) }), SignatureForm.isDER(bytes) else {
            return nil
        }
        return bytes.withUnsafeBytes { Base64.standard.encode($0) }
    }

    /// Returns a compact JWS in base64url without padding. It may have been received in the other alphabet, with
    /// padding, or with line breaks.
    static func compact(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count)
        for letter in text where letter != UInt8(ascii: "=") && !isSpace(letter) {
            switch letter {
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            default: letters.append(letter)
            }
        }
        return letters
    }

    /// The maximum length of a text that is tried. No ECDSA signature in base64 reaches it, even with line breaks.
    private static var longest: Int { 1024 }
}
