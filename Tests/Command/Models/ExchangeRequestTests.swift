import SKANCommandModels
import Testing

@Suite struct ExchangeRequestTests {
    /// A model or a schema with gaps is printed only if that is asked for.
    @Test func requestsAreForTheWholeModel() {
        for form: ImportRequest.Form in [.appsFlyer, .ga4, .meta, .tikTok, .rows, .rowTable] {
            #expect(!ImportRequest(form).isPartial)
        }
        for form: ExportRequest.Form in [.rows, .ga4] { #expect(!ExportRequest(form).isPartial) }
    }
}
