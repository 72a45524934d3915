import SKANCore
import SKANPostbackVerification

/// The numbers of counted postbacks that were changed after Apple sent them or are newer than this version of libskan.
struct PostbackQuality {
    private var respelled: UInt64 = 0
    private var illegal: UInt64 = 0
    private var unknownTypes: UInt64 = 0

    init() {}

    init(of postback: VerifiedPostback) {
        respelled = postback.isRespelled ? 1 : 0
        illegal = postback.hasIllegalValue ? 1 : 0
        unknownTypes = postback.unknownType == nil ? 0 : 1
    }

    mutating func add(_ more: PostbackQuality) {
        respelled += more.respelled
        illegal += more.illegal
        unknownTypes += more.unknownTypes
    }

    /// The metrics, each with its name, its help text, and the number that it shows.
    static var kinds: [(name: StaticString, help: StaticString, count: (PostbackQuality) -> UInt64)] {
        [
            (
                "skan_postbacks_respelled_total",
                "Counted postbacks that were written otherwise than Apple writes them.", { $0.respelled }
            ),
            (
                "skan_postbacks_illegal_total",
                "Counted postbacks whose value has no meaning; Apple did not hide it.", { $0.illegal }
            ),
            (
                "skan_postbacks_unknown_type_total",
                "Counted postbacks of a conversion or impression type that is not known.", { $0.unknownTypes }
            ),
        ]
    }
}
