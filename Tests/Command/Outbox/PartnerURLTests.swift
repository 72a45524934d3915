import SKANCommandRows
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandOutbox

func url(_ text: String) throws(PartnerURLProblem) -> PartnerURL {
    try Array(text.utf8).withBytes { text throws(PartnerURLProblem) in try PartnerURL(text) }
}

private func problem(_ text: String) -> String? {
    do throws(PartnerURLProblem) {
        _ = try url(text)
        return nil
    } catch {
        return error.words.description
    }
}

@Test func aPlaceholderIsAColumnOrOfTheMessage() throws {
    for name in ["id", "network"] + RowColumn.allCases.map(\.name.description) { #expect(isPlaceholder(name)) }
    for none in ["", "ID", "ad_network", "key_id"] { #expect(!isPlaceholder(none)) }
}

private func isPlaceholder(_ name: String) -> Bool { PartnerPlaceholder(named: Array(name.utf8)) != nil }

@Test func whatIsWrongWithAURLIsTold() {
    let noPlaceholder = "a brace that begins or ends no placeholder that there is"
    let inQuery = "expected placeholders only in the query, after \"?\""
    let cases = [
        ("https://p.example/?id={id}", nil),
        ("HTTPS://p.example/?id={id}", "expected http:// or https://"),
        ("ftp://p.example/?id={id}", "expected http:// or https://"),
        ("", "expected http:// or https://"),
        ("https://", "expected a host"),
        ("https:///?id={id}", "expected a host"),
        ("https://user:secret@p.example/?id={id}", "expected no user and no password before the host"),
        ("https://p.example/@?id={id}", nil),
        ("https://{network}.example/?id={id}", inQuery),
        ("https://p.example/{id}", inQuery),
        ("https://p.example/}?id={id}", inQuery),
        ("https://p.example/?id={id}&x={unknown}", noPlaceholder),
        ("https://p.example/?id={id}&x={}", noPlaceholder),
        ("https://p.example/?id={id", noPlaceholder),
        ("https://p.example/?id={id}}", noPlaceholder),
        ("https://p.example/?id={ id}", noPlaceholder),
        ("https://p.example/?id={{id}", noPlaceholder),
        ("https://p.example/?id={id}#x", "expected no fragment"),
        ("https://p.example/?id={id} ", "expected printable ASCII without spaces"),
        ("https://p.example/?id={id}\u{7F}", "expected printable ASCII without spaces"),
        ("https://p.exämple/?id={id}", "expected printable ASCII without spaces"),
        ("https://p.example/?app={app_id}", "expected {id} in the query, so that the partner can drop repeats"),
    ]
    for (text, words) in cases { #expect(problem(text) == words, "\(text)") }
}
