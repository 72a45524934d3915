import CSKAN
import SKANCore
import SKANPostbackVerification

/// The object that a `skan_postback *` points to: a postback, and the memory behind the pointers that callers get.
final class PostbackObject {
    let postback: VerifiedPostback
    /// The names of the signed fields, then those of the illegal fields: two lists, each ended by a NULL.
    private let names: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let numbers: UnsafeMutablePointer<Int64>
    let signedCount: Int
    let illegalCount: Int

    @_optimize(size)
    init(_ postback: VerifiedPostback) {
        self.postback = postback
        var signed = 0
        var illegal = 0
        postback.forEachSignedField { _ in signed += 1 }
        postback.forEachIllegalField { _ in illegal += 1 }
        names = .allocate(capacity: signed + illegal + 2)
        names.initialize(repeating: nil, count: signed + illegal + 2)
        numbers = .allocate(capacity: PostbackField.allCases.count)
        numbers.initialize(repeating: 0, count: PostbackField.allCases.count)
        (signedCount, illegalCount) = (signed, illegal)
        var next = names
        postback.forEachSignedField { name in
            next.pointee = cText(name)
            next += 1
        }
        next += 1
        postback.forEachIllegalField { name in
            next.pointee = cText(name)
            next += 1
        }
        for field in PostbackField.allCases { numbers[Int(field.rawValue)] = postback.integer(field) ?? 0 }
    }

    deinit {
        names.deallocate()
        numbers.deallocate()
    }

    var signedNames: UnsafePointer<UnsafePointer<CChar>?> { UnsafePointer(names) }
    var illegalNames: UnsafePointer<UnsafePointer<CChar>?> { UnsafePointer(names + signedCount + 1) }

    /// NULL if the field is absent or not a string.
    func text(_ field: PostbackField) -> UnsafePointer<CChar>? { postback.text(field).flatMap(cText) }

    /// NULL if the field is absent or of the wrong type.
    func number(_ field: PostbackField) -> UnsafePointer<Int64>? {
        postback.integer(field).map { _ in UnsafePointer(numbers + Int(field.rawValue)) }
    }

    /// -1 if the field is absent or of the wrong type.
    func small(_ field: PostbackField) -> Int32 { Int32(truncatingIfNeeded: postback.integer(field) ?? -1) }

    // MARK: As C has it

    static func at(_ pointer: OpaquePointer?) -> PostbackObject? {
        guard let pointer else { return nil }
        return Unmanaged<PostbackObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    static func make(_ postback: VerifiedPostback) -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(PostbackObject(postback)).toOpaque())
    }
}

/// Returns a postback's text, which is followed by a NUL, as a C string.
func cText(_ text: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    text.baseAddress?.assumingMemoryBound(to: CChar.self)
}
