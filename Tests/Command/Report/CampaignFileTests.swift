import CSKANSystem
import SKANCommandOutput
import SKANCore
import Testing

@testable import SKANCommandReport

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

private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

@Test func cellsMayBeQuotedAndRowsMayEndLikeOnWindows() throws {
    let head = "\u{FEFF}identifier,network,campaign\r\n\r\n"
    let read = try campaigns(head + "39,\"a,b\",\"say \"\"hi\"\"\"\r\n\"\"\n40,n,").get()
    #expect(read.rows.map { text($0.network) } == ["a,b", "n"])
    #expect(read.rows.map { text($0.campaign) } == ["say \"hi\"", ""])
    #expect(read.rows.map(\.line) == [3, 5] && read.currency == nil)
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
    #expect(why("network,network\n") == "line 1, column 2: \"network\" is there twice")
    #expect(
        why("network,price\n")
            == """
            line 1, column 2: expected network, identifier, campaign, ad_set, cost, currency or network_name, \
            got "price"
            """)
    let head = "network,identifier,cost,currency\n"
    #expect(why(head + "n,39,1") == "line 2, column 3: expected 4 cells as in the first row, got 3")
    #expect(why(head + ",39,1,") == "line 2, column 1: expected an ad network's id, got nothing")
    #expect(why(head + "n,39,1e3,")?.hasPrefix("line 2, column 3: expected an amount as 1250.50") == true)
    #expect(why(head + "n,39,1,usd") == "line 2, column 4: expected three capital letters, \"USD\", got \"usd\"")
    #expect(why(head + "n,39,1,USD\nn,40,1,EUR") == "line 3, column 4: expected USD as in the rows before, got EUR")
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
