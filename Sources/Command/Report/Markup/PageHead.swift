import SKANCore

/// The page's head. The page may run its one script and use its one style sheet, which the policy knows by their
/// digests, and load nothing.
var pageHead: HTML {
    let (style, script) = (pageStyle, pageScript)
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(policyName(style))'; \
        script-src '\(policyName(script))'; img-src data:">
        <link rel="icon" href="data:,">
        <title>Campaign report</title>
        <style>\(style)</style>
        </head>
        <body>
        <main>

        """
}

var pageEnd: HTML {
    """
    </main>
    <script>\(pageScript)</script>
    </body>
    </html>

    """
}

/// What a policy knows an inline text by: "sha256-" and its digest in Base64.
private func policyName(_ text: HTML) -> Message {
    let digest = text.utf8.withUnsafeBytes { SHA256(of: $0) }
    var bytes: [UInt8] = []
    for place in digest.words.indices {
        withUnsafeBytes(of: digest.words[place].bigEndian) { bytes.append(contentsOf: $0) }
    }
    return "sha256-\(Message(utf8: bytes.withUnsafeBytes { Base64.standard.encode($0) }))"
}
