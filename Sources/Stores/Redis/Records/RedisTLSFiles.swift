internal import SKANCore
internal import SKANSystem

/// The settings for TLS in a URL. Files are in PEM form.
struct RedisTLSFiles: Sendable {
    /// The file of the certificate authorities that sign servers' certificates; nil for the system's authorities.
    private(set) var authorities: CText?
    /// The files of the client's certificate, with the intermediate certificates, and of its private key.
    private(set) var certificate, key: CText?
    /// The name that every server's certificate must have; nil for the host by which the server is reached.
    private(set) var serverName: CText?

    /// Sets the value of a setting. Returns false if the name is unknown, or was set before.
    mutating func set(_ name: Bytes, _ value: CText) -> Bool {
        if name.elementsEqual(("cacert" as StaticString).bytes) { return fill(&authorities, value) }
        if name.elementsEqual(("cert" as StaticString).bytes) { return fill(&certificate, value) }
        if name.elementsEqual(("key" as StaticString).bytes) { return fill(&key, value) }
        return name.elementsEqual(("sni" as StaticString).bytes) && fill(&serverName, value)
    }
}

private func fill(_ field: inout CText?, _ value: CText) -> Bool {
    if field != nil { return false }
    field = value
    return true
}
