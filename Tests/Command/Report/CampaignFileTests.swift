import CSKANSystem
import SKANCommandOutput
import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// What a file of campaigns says; what is wrong with it.
private func campaigns(_ text: String) -> Result<Campaigns, Refusal> {
    var bytes = [UInt8](text.utf8)
    return bytes.withUnsafeMutableBytes { bytes in
        guard let file = bytes.isEmpty ? tmpfile() : fmemopen(bytes.baseAddress, bytes.count, "r") else {
            return .failure(Refusal(why: "no file"))
        }
        defer { fclose(file) }
        do throws(CommandEnd) {
            return .success(try Campaigns.read(CSVReader(CSVInput(file), name: "file")))
        } catch {
            guard case .complaint(_, let why, .found) = error else { return .failure(Refusal(why: "another end")) }
            return .failure(Refusal(why: String(decoding: why.utf8, as: UTF8.self)))
        }
    }
}

private struct Refusal: Error, Equatable {
    let why: String
}

private func why(_ text: String) -> String? {
    guard case .failure(let refusal) = campaigns(text) else { return nil }
    return refusal.why
}

/// Models in USD, "m0" and so on, with these rates.
private func models(_ rates: [String]) throws -> RevenueModels {
    var models = RevenueModels()
    for (place, rates) in rates.enumerated() {
        let document = """
            {"schema": 1, "id": "m\(place)", "currency": "USD", "rates": {\(rates)},
             "windows": [{"rules": []}, {"rules": []}, {"rules": []}]}
            """
        let model = try Array(document.utf8).withUnsafeBytes { try ConversionModel.read(json: $0) }
        let isOfOneCurrency = models.add(model)
        #expect(isOfOneCurrency)
    }
    return models
}

/// Why costs cannot be converted.
private func converted(_ campaigns: inout Campaigns, _ models: RevenueModels) -> String? {
    do throws(CommandEnd) {
        try campaigns.convertCosts(models, name: "file")
        return nil
    } catch {
        guard case .complaint(_, let why, .found) = error else { return "another end" }
        return text(why.utf8)
    }
}

private func currency(_ text: StaticString) -> Currency? { Currency(text.bytes) }

private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

@Test func cellsMayBeQuotedAndRowsMayEndLikeOnWindows() throws {
    let head = "\u{FEFF}identifier,network,campaign\r\n\r\n"
    let read = try campaigns(head + "39,\"a,b\",\"say \"\"hi\"\"\"\r\n\"\"\n40,n,").get()
    #expect(read.rows.map { text($0.network) } == ["a,b", "n"])
    #expect(read.rows.map { text($0.campaign) } == ["say \"hi\"", ""])
    #expect(read.rows.map(\.line) == [3, 5])
}

@Test func whatIsNoCSVIsRefusedWithLineAndColumn() {
    let head = "network,identifier\n"
    #expect(why("") == "line 1, column 1: expected the names of columns, got the end of the file")
    #expect(why(head + "a\"b,39") == "line 2, column 1: expected quotes around the whole cell, got one within")
    #expect(
        why(head + "n,\"39")
            == "line 2, column 2: expected a quote at the end of this cell, got the end of the file")
    #expect(why(head + "\"n\"x,39") == "line 2, column 1: expected a comma or the end of the line after a quoted cell")
    #expect(why(head + "\n\"a\nb\",39") == "line 3, column 1: expected no control character, got U+000A")
    #expect(why(head + "a\rb,39") == "line 2, column 1: expected no control character, got U+000D")
    #expect(why(head + String(repeating: ",", count: 32)) == "line 2, column 32: expected at most 32 cells")
    let long = String(repeating: "x", count: 65_536)
    #expect(why(head + "n," + long) == "line 2, column 2: expected a row of at most 65535 bytes")
}

@Test func aRowMustSayWhichCampaignItIsOf() {
    #expect(why("network\n") == "line 1, column 1: expected a column \"identifier\"")
    #expect(why("network,network\n") == "line 1, column 2: \"network\" appears twice")
    #expect(
        why("network,price\n")
            == """
            line 1, column 2: expected network, identifier, campaign, ad_set, cost, currency, network_name, date or \
            app, got "price"
            """)
    let head = "network,identifier,cost,currency\n"
    #expect(why(head + "n,39,1") == "line 2, column 3: expected 4 cells as in the first row, got 3")
    #expect(why(head + ",39,1,") == "line 2, column 1: expected an ad network's id, got nothing")
    #expect(why(head + "n,39,1e3,")?.hasPrefix("line 2, column 3: expected an amount as 1250.50") == true)
    #expect(why(head + "n,39,1,usd") == "line 2, column 4: expected three capital letters, \"USD\", got \"usd\"")
    for identifier in ["3", "12345", "3x", "campaign-id 042", "campaign-id ", "campaign-id 1234567890123456789"] {
        #expect(why(head + "n,\(identifier),,")?.hasPrefix("line 2, column 2: expected two to four digits") == true)
    }
}

@Test func aCampaignHasOneNameAndEachIdentifierOneRow() {
    let head = "network,identifier,campaign\n"
    #expect(why(head + "n,39,A\nn,39,A") == "line 3: 39 of n is in line 2 already")
    #expect(
        why(head + "n,5239,B\nn,39,A")
            == "line 2: expected campaign \"A\" as for the other identifiers of n that end with 39, got \"B\"")
    #expect(why(head + "n,39,A\nm,39,B\nn,239,\nn,40,B") == nil)
}

/// Networks may use one identifier for campaigns of two apps.
@Test func aRowMayBeOfOneApp() throws {
    let head = "network,identifier,campaign,ad_set,app\n"
    let read = try campaigns(head + "n,39,All,,\nn,39,A,one,1\nn,39,B,two,2\nn,239,,longer,\nn,40,C,,2").get()
    let network = Array("n".utf8)
    func identifier(_ digits: String) -> CampaignIdentifier { CampaignIdentifier(Array(digits.utf8)[...]) }
    let names = [Int64(1), 2, 3].map { read.name(network, identifier("39").campaign, of: $0).map(text) }
    #expect(names == ["A", "B", "All"])
    #expect([Int64(1), 2, 3].map { read.adSet(network, identifier("5139"), of: $0).map(text) } == ["one", "two", nil])
    #expect(read.adSet(network, identifier("239"), of: 1).map(text) == "longer")
    #expect(read.name(network, identifier("40").campaign, of: 1) == nil)
    #expect(read.only(1, andShared: true).rows.map(\.line) == [2, 3, 5])
    #expect(read.only(2, andShared: false).rows.map(\.line) == [4, 6])
    #expect(why(head + "n,39,A,,1\nn,39,A,,1") == "line 3: 39 of n is in line 2 already")
    #expect(why(head + "n,39,A,,1\nn,39,B,,2\nn,39,C,,") == nil)
    #expect(why(head + "n,39,A,,no")?.hasPrefix("line 2, column 5: expected the id of an app") == true)
}

@Test func aCampaignMayHaveARowForEachDay() throws {
    let head = "network,identifier,date,cost\n"
    let read = try campaigns(head + "n,39,2026-03-01,5\nn,39,2026-03-02,7\nn,40,,3").get()
    #expect(read.rows.map(\.day) == [20_513, 20_514, nil])
    #expect(
        why(head + "n,39,2026-03-01,5\nn,39,2026-03-02,5\nn,39,2026-03-01,7") == "line 4: 39 of n is in line 2 already")
    #expect(why(head + "n,39,2026-03-01,5\nn,39,,7") == "line 3: 39 of n is in line 2 already")
    #expect(why(head + "n,39,,5\nn,39,2026-03-01,7") == "line 3: 39 of n is in line 2 already")
    #expect(why(head + "n,39,2026-03-01,5\nn,239,2026-03-01,7") == nil)
    for day in ["2026-02-30", "1.3.2026", "2026-03-01T00"] {
        #expect(why(head + "n,39,\(day),5") == "line 2, column 3: expected a day as 2026-01-31, got \"\(day)\"")
    }
}

@Test func campaignsMayHaveCostsOnTheSameDays() throws {
    let days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    let identifiers = ["n,39", "n,40", "n,140", "o,39", "o,campaign-id 7"]
    let rows = identifiers.flatMap { identifier in days.map { "\(identifier),\($0),5\n" } }
    let read = try campaigns("network,identifier,date,cost\n" + rows.joined()).get()
    #expect(read.rows.count == 20)
    // In any order of the rows, and a repeated day is named all the same.
    #expect(try campaigns("network,identifier,date,cost\n" + rows.reversed().joined()).get().rows.count == 20)
    #expect(
        why("network,identifier,date,cost\n" + rows.joined() + "n,40,2026-03-02,1\n")
            == "line 22: 40 of n is in line 7 already")
}

@Test func costsOfOneCurrencyStayAsTheyAre() throws {
    var read = try campaigns("network,identifier,cost,currency\nn,39,1.50,EUR\nn,40,2,\n").get()
    let why = converted(&read, RevenueModels())
    #expect(why == nil)
    #expect(read.rows.map(\.cost?.units) == [1_500_000_000_000, 2_000_000_000_000] && read.rates.isEmpty)
    #expect(read.currency == currency("EUR"))
}

@Test func costsAreConvertedByTheLastModelThatHasTheirRate() throws {
    let models = try models(["\"EUR\": \"1.08\", \"JPY\": \"0.0065\"", "\"EUR\": \"1.10\""])
    var read = try campaigns("network,identifier,cost,currency\nn,39,10,EUR\nn,40,200,JPY\nn,41,3,USD\nn,42,,\n").get()
    let why = converted(&read, models)
    #expect(why == nil)
    #expect(read.rows.map(\.cost?.units) == [11, 1.3, 3, nil].map { $0.map { Int128($0 * 1e12) } })
    #expect(read.currency == currency("USD"))
    #expect(
        read.rates.map { text($0.sentence(to: "USD").utf8).prefix { $0 != "(" } } == [
            "Costs in EUR were converted to USD at 1.1, the rate of model \"m1\" ",
            "Costs in JPY were converted to USD at 0.0065, the rate of model \"m0\" ",
        ])
}

@Test func aCostThatCannotBeConvertedIsRefusedWithItsLine() throws {
    func why(_ rows: String, _ rates: [String]) throws -> String? {
        var read = try campaigns("network,identifier,cost,currency\n" + rows).get()
        return converted(&read, try models(rates))
    }
    #expect(
        try why("n,40,1,USD\nn,39,1,GBP\nn,41,1,CHF\n", ["\"EUR\": \"1.1\""])
            == """
            line 3: there is no rate to convert the cost from GBP to USD: expected USD or EUR, which the models given \
            have; give the cost in one of these, or a --model FILE whose "rates" have GBP
            """)
    #expect(
        try why("n,39,1,USD\nn,38,1,EUR\n", [])
            == """
            line 3: expected a cost in USD as in line 2, got EUR; give --model FILE with rates of these currencies, \
            and costs are converted
            """)
    #expect(
        try why("n,39,1,USD\nn,40,1,\nn,38,1,EUR\n", ["\"EUR\": \"1.1\""])
            == "line 3: expected a currency, since the file has costs in several: USD or EUR")
    #expect(
        try why("n,39,999999999999999,EUR\n", ["\"EUR\": \"1.1\""])
            == "line 2: the cost is too large once it is converted")
}

@Test func anAdSetIsTheLongestEndThatThereIs() throws {
    let head = "network,identifier,campaign,ad_set\n"
    let read = try campaigns(head + "n,39,A,\nn,239,,two\nn,5239,,four\nn,campaign-id 7,Old,\nm,39,M,").get()
    func adSet(_ identifier: String) -> String? {
        let place = read.place([UInt8]("n".utf8), CampaignIdentifier([UInt8](identifier.utf8)[...]))
        return place.map { text(read.rows[$0].identifier.text) + " " + text(read.rows[$0].adSet) }
    }
    #expect(["5239", "4239", "1139", "39", "40"].map(adSet) == ["5239 four", "239 two", "39 ", "39 ", nil])
    #expect(adSet("campaign-id 7") == "campaign-id 7 " && adSet("campaign-id 8") == nil)
    #expect(read.name([UInt8]("n".utf8), [UInt8]("39".utf8)[...]).map(text) == "A")
    #expect(read.name([UInt8]("m".utf8), [UInt8]("39".utf8)[...]).map(text) == "M")
    #expect(read.name([UInt8]("n".utf8), [UInt8]("40".utf8)[...]) == nil)
}
