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

private func filled(_ text: String, _ values: PartnerValues) throws -> String {
    String(decoding: try url(text).filled(values).message.utf8, as: UTF8.self)
}

@Test func everyPlaceholderIsFilled() throws {
    var values = PartnerValues()
    var template = "https://partner.example/told?key=k"
    var expected = template
    for placeholder in PartnerPlaceholder.allCases {
        values[placeholder] = Array("<\(placeholder.name)>".utf8)
        template += "&{\(placeholder.name)}"
        expected += "&%3C\(placeholder.name)%3E"
    }
    #expect(try filled(template, values) == expected)
}

@Test func whatIsWrongWithAURLIsTold() {
    let noPlaceholder = "a brace that begins or ends no placeholder that there is"
    let inQuery = "expected placeholders in the query alone, behind a \"?\""
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
        ("https://p.example/?app={app}", "expected {id} in the query: by it the partner drops repeats"),
    ]
    for (text, words) in cases { #expect(problem(text) == words, "\(text)") }
}
