import Foundation
import SKANCore
import SKANPostbackVerification
import Testing

@testable import SKANPostbackReceiving

private let day: Int64 = 86_400
private let arrival: Int64 = 1_700_000_000

private func model(_ name: String) throws -> ConversionModel {
    let json = """
        {"schema":1,"id":"\(name)","protocol":4,"currency":"USD","windows":[{"rules":[{"fine":63,"when":{}}]},\
        {"rules":[]},{"rules":[]}]}
        """
    return try Array(json.utf8).withUnsafeBufferPointer { json throws(Failure) in
        try ConversionModel.read(json: UnsafeRawBufferPointer(json))
    }
}

/// A postback of AdAttributionKit with the index of its window.
private func kit(window: Int) throws -> VerifiedPostback {
    let payload = Signer.payload.replacing(#"index":0"#, with: #"index":\#(window)"#)
    return try verified(Signer.shared.jws(#"{"alg":"ES256","kid":"test/0"}"#, payload), keys: Signer.shared.keys)
}

@Test func theTimeOfInstallIsThatOfApplesTimers() throws {
    for (window, earliest, latest) in [(0, Int64(4), Int64(1)), (1, 13, 3), (2, 41, 8)] {
        let time = ConversionTime(of: try kit(window: window), received: arrival * 1_000_000)
        #expect(time == ConversionTime(from: arrival - earliest * day, until: arrival - latest * day))
    }
    // Before SKAN 4 the timer begins again with each update, to a greater value each time.
    let fields = """
        {"version":"3.0","ad-network-id":"n","campaign-id":1,"app-id":1,"transaction-id":"t","redownload":false,\
        "fidelity-type":1,"did-win":true,"attribution-signature":"MAYCAQECAQE="
        """
    for (value, days) in [(",\"conversion-value\":0", Int64(2)), (",\"conversion-value\":63", 65), ("", 65)] {
        let postback = try verified(Array((fields + value + "}").utf8))
        let time = ConversionTime(of: postback, received: arrival * 1_000_000)
        #expect(time == ConversionTime(from: arrival - days * day, until: arrival - day))
    }
}

@Test func theModelIsThatOfTheWholeTime() throws {
    let old = try model("old")
    let new = try model("new")
    let time = ConversionTime(from: 100, until: 200)
    let postback = try verified(Sample.counted(["conversion-value": 63]))
    let cases: [([(from: Int64, model: ConversionModel)], PostbackDecoding, ConversionModel?)] = [
        ([], .notDecoded, nil),
        ([(100, old), (201, new)], .decoded, old),
        ([(0, old), (100, new)], .decoded, new),
        ([(0, old), (101, new)], .ambiguous, nil),
        ([(0, old), (200, new)], .ambiguous, nil),
        ([(0, old), (150, old)], .decoded, old),
        ([(0, old), (150, new), (160, old)], .ambiguous, nil),
        ([(101, old)], .ambiguous, nil),
        ([(201, old)], .noModel, nil),
    ]
    for (place, (models, decoding, applies)) in cases.enumerated() {
        let (told, version) = PostbackModels(models).decode(postback, of: time)
        #expect(told == decoding, "case \(place)")
        #expect(version == applies?.version, "case \(place)")
    }
    let hidden = try verified(Sample.counted(["conversion-value": 64]))
    let always = PostbackModels([(from: Int64(0), model: old)])
    #expect(always.decode(hidden, of: time).0 == .hidden)
    for value in [["conversion-value": 0], ["conversion-value": NSNull(), "coarse-conversion-value": "low"]]
        as [[String: Any]]
    {
        #expect(always.decode(try verified(Sample.counted(value)), of: time).0 != .hidden)
    }
    let none = try verified(Sample.counted(["conversion-value": 62]))
    #expect(always.decode(none, of: time).0 == .undecodable)
}

/// Rules, "Models of apps".
@Test func anAppWithModelsOfItsOwnIsDecodedByNoOther() throws {
    let (own, other) = (try model("own"), try model("other"))
    func always(_ model: ConversionModel) -> PostbackModels<ConversionModel> {
        PostbackModels([(from: Int64(0), model: model)])
    }
    let models = ModelsByApp(always(other), own: [(app: 1, models: always(own))])
    let postback = try verified(Sample.counted(["conversion-value": 63]))
    let time = ConversionTime(from: 100, until: 200)
    for (app, version) in [(1, own.version), (2, other.version), (nil, other.version)] as [(Int64?, SHA256)] {
        #expect(models.models(of: app).decode(postback, of: time).1 == version)
    }
    #expect(!models.areOthers(for: 1) && models.areOthers(for: 2))
    let alone = ModelsByApp(PostbackModels<ConversionModel>([]), own: [(app: 1, models: always(own))])
    #expect(alone.models(of: 2).decode(postback, of: time).0 == .notDecoded)
    #expect(!alone.areOthers(for: 2) && !alone.isEmpty)
}

/// Rules, "Re-engagements": decoded by models given for them, never by those of installs. "Unknown types": by none.
@Test(
    arguments: [
        ("\"re-engagement\"", "taps"), ("\"reengagement\"", "taps"), ("\"download\"", "installs"),
        ("\"redownload\"", "installs"), ("\"something\"", "none"), (nil, "installs"),
    ] as [(String?, String)])
func reengagementsHaveModelsOfTheirOwn(_ type: String?, _ name: String) throws {
    let (installs, taps) = (try model("installs"), try model("taps"))
    let always = [(from: Int64(0), model: installs)]
    let body = Signer.shared.kit(type, ",\"conversion-value\":63")
    for given in [[], [(from: Int64(0), model: taps)]] {
        let receiver = PostbackReceiver(
            keys: Signer.shared.keys, installs: PostbackModels(always), reengagements: PostbackModels(given))
        let postback = try verified(body, keys: Signer.shared.keys)
        let record = receiver.arrived(postback, from: [], at: arrival * 1_000_000, try .draw()).record
        let model = name == "taps" ? given.first?.model : name == "installs" ? installs : nil
        #expect(record.decoding == (model == nil ? .notDecoded : .decoded))
        #expect(record.model == model?.version)
        #expect(record.time == ConversionTime(from: arrival - 4 * day, until: arrival - day))
    }
}
