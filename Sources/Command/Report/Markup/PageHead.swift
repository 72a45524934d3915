import SKANCore

/// The page's head. Its Content-Security-Policy allows the page's own script and style sheet, by their digests, and
/// forbids the page to load anything.
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

/// Returns the name by which the policy allows an inline script or style: "sha256-" and the text's digest in Base64.
private func policyName(_ text: HTML) -> Message {
    let digest = text.utf8.withUnsafeBytes { SHA256(of: $0) }
    var bytes: [UInt8] = []
    for place in digest.words.indices {
        withUnsafeBytes(of: digest.words[place].bigEndian) { bytes.append(contentsOf: $0) }
    }
    return "sha256-\(Message(utf8: bytes.withUnsafeBytes { Base64.standard.encode($0) }))"
}
