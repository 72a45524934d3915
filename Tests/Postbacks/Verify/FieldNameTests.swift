import Foundation
import Testing

@testable import SKANPostbackVerification

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// A row of the article's table of fields.
private struct FieldRow {
    let name: String
    /// Apple's names, of SKAdNetwork and of AdAttributionKit; nil where the framework has no such field.
    let appleNames: [String?]
}

private func rows() throws -> [FieldRow] {
    let lines = try text("Sources/Articles/Postbacks.md").split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| field |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return table.map { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let name = cells[1].trimmingCharacters(in: ["`"])
        let names =
            cells[3].hasSuffix(" in both")
            ? [String](repeating: String(cells[3].dropLast(8)), count: 2) : cells[3].components(separatedBy: ", ")
        return FieldRow(name: name, appleNames: names.map { $0 == "–" ? nil : $0 })
    }
}

@Test func theArticleNamesEveryFieldAsItIs() throws {
    let told = PostbackField.allCases.filter { $0.name != nil }
    let rows = try rows()
    #expect(Set(rows.map(\.name)) == Set(told.compactMap { $0.name?.description }))
    for field in told {
        let row = try #require(rows.first { $0.name == field.name?.description })
        #expect(field.skAdNetworkName?.description == row.appleNames[0], "\(row.name)")
    }
}

/// The faces for hosts have the names of the table, which are those of rows.
@Test func hostsHaveTheNamesOfTheArticle() throws {
    let header = try text("Include/skan/postback.h")
    let members = try #require(header.components(separatedBy: "typedef struct skan_postback_fields {").last)
    let fields = try #require(members.components(separatedBy: "} skan_postback_fields;").first)
    let python = try text("Bindings/Python/libskan/postback.py")
    let swift = try text("Sources/Postbacks/Swift/Postback.swift").lowercased()
    for row in try rows() {
        #expect(fields.contains(" \(row.name);") || fields.contains("*\(row.name);"), "\(row.name) in C")
        #expect(python.contains("\n    \(row.name): "), "\(row.name) in Python")
        let camelCase = row.name.replacingOccurrences(of: "_", with: "")
        #expect(swift.contains("public let \(camelCase): "), "\(camelCase) in Swift")
    }
}
