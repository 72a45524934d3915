internal import CSKANSystem
package import SKANCore

/// Says "skan: what: why" on standard error, with what a terminal might obey escaped.
package func complain(_ what: Message, _ why: Message) {
    complainPlainly("skan: \(what): \(why)")
}

/// Says a line on standard error as it is, without "skan: ".
package func complainPlainly(_ line: Message) {
    Progress.hide()
    let escaped = line.utf8.withUnsafeBytes { escapedForTerminal($0) }
    let text = escaped.utf8 + [UInt8(ascii: "\n")]
    text.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, system_errors()) }
}

/// "s" where there are not exactly one.
package func plural(_ count: UInt64) -> StaticString { count == 1 ? "" : "s" }
