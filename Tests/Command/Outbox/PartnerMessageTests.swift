import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANPostbackVerification
import SKANSystem
import Testing

@testable import SKANCommandOutbox
@testable import SKANPostbackReceiving

/// The items of what a partner is told, "" for what there is not.
private func told(
    _ record: PostbackRecord, of body: String
) throws -> [String: String] {
    let names = ["id", "network"] + RowColumn.allCases.dropFirst().map(\.name.description)
    let items = names.map { "\($0)={\($0)}" }.joined(separator: "&")
    let url = try url("http://p/?\(items)")
    let models = try models()
    return query(try bytes(record, body).withBytes { try message(url, $0, models) })
}

private func message(_ url: PartnerURL, _ record: Bytes, _ models: PartnerModels) throws(Failure) -> String {
    let digits = String(repeating: "0123456789abcdef", count: 4)
    let key = Array("outbox/\(digits)/example/partner".utf8)
    guard let name = key.withUnsafeBytes({ OutboxEntryName($0) }) else { throw Failure(.invalidArgument, "a key") }
    let told = try url.message(for: name, record: record, models.rowSources(.none))
    return String(decoding: told.message.utf8, as: UTF8.self)
}

private func query(_ url: String) -> [String: String] {
    var items: [String: String] = [:]
    for item in url.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        items[String(parts[0])] = String(parts[1])
    }
    return items
}

private func bytes(_ record: PostbackRecord, _ body: String) -> [UInt8] {
    Array(body.utf8).withUnsafeBytes { copy(record.bytes($0)) }
}

private func copy(_ bytes: borrowing ByteBuffer) -> [UInt8] { bytes.array }

private func record(
    _ decoding: PostbackDecoding, model: SHA256? = version(of: document)
) -> PostbackRecord {
    var record = PostbackRecord(
        PostbackWriteID(low: 1, high: 2), PostbackVerdict(result: .valid, omitsSourceApp: false),
        received: 1_700_000_000_999_999, network: [])
    record.decoding = decoding
    record.model = model
    return record
}

/// One of SKAdNetwork 4.0; the signature is not looked at.
private func postback(_ more: String = "", transaction: String = "t-1") -> String {
    """
    {"version":"4.0","ad-network-id":"example.skadnetwork","source-identifier":"5239","app-id":525463029,\
    "transaction-id":"\(transaction)","redownload":false,"source-domain":"example.com","fidelity-type":1,\
    "did-win":true,"postback-sequence-index":0,"attribution-signature":"MAYCAQECAQE="\(more)}
    """
}

/// One of AdAttributionKit; the signature is not looked at.
private var reengagement: String {
    let payload = """
        {"postback-identifier":"p","ad-network-identifier":"n","advertised-item-identifier":7,\
        "source-identifier":"1234","did-win":true,"postback-sequence-index":0,"conversion-type":"re-engagement"}
        """
    var parts = [#"{"alg":"ES256","kid":"apple-cas-identifier/0"}"#, payload].map { Array($0.utf8) }
    parts.append([UInt8](repeating: 1, count: 64))
    let jws = parts.map { String(decoding: $0.withUnsafeBytes { Base64.url.encode($0) }, as: UTF8.self) }
    let text = jws.joined(separator: ".")
    return #"{"jws-string":"\#(text)","conversion-value":1,"ad-interaction-type":"view"}"#
}

private let document = """
    {"schema":1,"id":"m","protocol":4,"currency":"EUR","windows":[{"rules":[\
    {"fine":1,"when":{"events":[{"name":"a,b%","min_count":1},{"name":"c","min_count":2}],\
    "revenue":{"kind":"ad","min":0.5,"max":1}}},\
    {"fine":2,"when":{"revenue":{"kind":"iap","min":10}}}]},{"rules":[]},{"rules":[]}]}
    """

private func version(of document: String) -> SHA256 { Array(document.utf8).withUnsafeBytes { SHA256(of: $0) } }

private func models() throws(Failure) -> PartnerModels {
    let model = try Array(document.utf8).withBytes { json throws(Failure) in try ConversionModel.read(json: json) }
    return PartnerModels([(model, .any)])
}

@Test func aPartnerIsToldAllThatThePostbackSays() throws {
    let told = try told(
        record(.hidden), of: postback(#","conversion-value":1,"country-code":"DE""#))
    let expected = [
        "id": String(repeating: "0123456789abcdef", count: 4) + "-partner", "network": "example",
        "ad_network_id": "example.skadnetwork", "framework": "SKAdNetwork", "version": "4.0", "transaction_id": "t-1",
        "campaign_id": "", "source_identifier": "5239", "source_app_id": "", "source_domain": "example.com",
        "app_id": "525463029", "postback_sequence_index": "0", "conversion_value": "1", "coarse_conversion_value": "",
        "did_win": "1", "redownload": "0",
        "conversion_type": "download", "fidelity_type": "1", "ad_interaction_type": "", "country_code": "DE",
        "received": "1700000000", "decoding": "hidden", "events": "", "revenue_kind": "", "revenue_min": "",
        "revenue_max": "", "currency": "",
    ]
    for (name, text) in expected { #expect(told[name] == text, "\(name)") }
    #expect(told["model"]?.count == 64)
}

@Test func eventsAndRevenueAreThoseOfTheModel() throws {
    let first = try told(record(.decoded), of: postback(#","conversion-value":1"#))
    #expect(first["decoding"] == "decoded")
    #expect(first["events"] == "a%252Cb%2525%2Cc")
    #expect(first["revenue_kind"] == "ad")
    #expect([first["revenue_min"], first["revenue_max"], first["currency"]] == ["0.5", "1", "EUR"])
    let second = try told(record(.decoded), of: postback(#","conversion-value":2"#))
    #expect(second["events"]?.isEmpty == true)
    #expect([second["revenue_kind"], second["revenue_min"], second["revenue_max"]] == ["iap", "10", ""])
}

@Test func coarseValuesAreWords() throws {
    for word in ["low", "medium", "high"] {
        let told = try told(record(.undecodable), of: postback(#","coarse-conversion-value":"\#(word)""#))
        #expect([told["coarse_conversion_value"], told["conversion_value"]] == [word, ""])
        #expect(told["decoding"] == "undecodable")
    }
}

@Test func aTextEndsAtANUL() throws {
    let told = try told(record(.notDecoded, model: nil), of: postback(transaction: #"t\u0000more"#))
    #expect([told["transaction_id"], told["model"], told["decoding"]] == ["t", "", "none"])
}

@Test func aReengagementIsToldWithoutAModelOfInstalls() throws {
    let told = try told(record(.notDecoded, model: nil), of: reengagement)
    #expect([told["conversion_type"], told["decoding"], told["model"]] == ["re-engagement", "none", ""])
    #expect(told["framework"] == "AdAttributionKit")
    #expect([told["conversion_value"], told["ad_interaction_type"]] == ["1", "view"])
}

@Test func aModelThatIsNotThereIsTold() throws {
    let failure = try #require(throws: Failure.self) {
        try told(record(.decoded, model: version(of: "")), of: postback(#","conversion-value":1"#))
    }
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(words(failure) == "the model \(digest) was not given, so it cannot be decoded")
}

@Test func aDamagedRecordOfAPostbackIsTold() throws {
    let url = try url("http://p/?{id}")
    let failure = try #require(throws: Failure.self) {
        try Array("{}".utf8).withBytes { try message(url, $0, try models()) }
    }
    #expect(
        words(failure) == "its postback's record: record of a postback: its first bytes are not those of such a record")
}

private func words(_ failure: Failure) -> String { String(decoding: failure.message.utf8, as: UTF8.self) }
