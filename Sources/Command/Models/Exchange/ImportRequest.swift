/// What `skan model import` is asked for.
package struct ImportRequest {
    /// The vendor whose document it is, or the row form of our own.
    package enum Form: Sendable {
        case appsFlyer, ga4, meta, tikTok, rows, rowTable
    }

    /// The meaning of several rows that give the same value.
    package enum SameValue: Sendable {
        case any, all
    }

    package var form: Form
    /// The id of the imported model. If it is empty, the id is the document's, or else the file's name.
    package var id: [UInt8] = []
    package var map = EventMap()
    /// The currency of amounts if the document names none. If it is nil, it is USD.
    package var currency: [UInt8]?
    package var sameValue: SameValue?
    /// Whether a model is printed even if it lacks rows that could not be imported.
    package var isPartial = false

    package init(_ form: Form) { self.form = form }
}
