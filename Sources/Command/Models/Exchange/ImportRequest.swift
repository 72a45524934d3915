/// The options of `skan model import`.
package struct ImportRequest {
    /// The form of the document: a vendor's form, or libskan's own row form.
    package enum Form: Sendable {
        case appsFlyer, ga4, meta, tikTok, reportingPack, rows, rowTable
    }

    /// How several rows with the same value are combined: whether any one of them or all of them must hold.
    package enum SameValue: Sendable {
        case any, all
    }

    package var form: Form
    /// The id of the imported model. If it is empty, the document's id is used, otherwise the file's name.
    package var id: [UInt8] = []
    package var map = EventMap()
    /// The currency of amounts if the document names none; nil means USD.
    package var currency: [UInt8]?
    package var sameValue: SameValue?
    /// The app whose rows are imported; nil if all rows are of one app.
    package var app: [UInt8]?
    /// Whether to print the model even if some rows could not be imported.
    package var isPartial = false

    package init(_ form: Form) { self.form = form }
}
