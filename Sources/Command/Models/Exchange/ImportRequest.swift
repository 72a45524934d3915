/// What `skan model import` is asked for.
package struct ImportRequest {
    /// The vendor whose document it is, or the row form of our own.
    package enum Form: Sendable {
        case appsFlyer, ga4, meta, tikTok, rows, rowTable
    }

    /// What rows of a file mean that give one value.
    package enum SameValue: Sendable {
        case any, all
    }

    package var form: Form
    /// Empty: the document says it, or it is the file's name.
    package var id: [UInt8] = []
    package var map = EventMap()
    /// nil: the document says it, or it is USD.
    package var currency: [UInt8]?
    package var sameValue: SameValue?
    /// What can be said is printed although something cannot.
    package var isPartial = false

    package init(_ form: Form) { self.form = form }
}
