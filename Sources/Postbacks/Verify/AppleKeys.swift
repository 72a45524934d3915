internal import SKANCore

/// Rules, "Postback keys": the public keys that Apple publishes. Versions from 2.1 on use P-256, older ones P-192.
var appleKeys: [GivenKey] {
    let p256: StaticString = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3\
        sVqW6Af0lfx3gg==
        """
    let p192: StaticString = """
        MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG
        """
    return [
        apple("4.0", p256), apple("3.0", p256), apple("2.2", p256), apple("2.1", p256),
        apple("2.0", p192), apple("1.0", p192),
        apple("apple-cas-identifier/0", p256),
        apple(
            "apple-development-identifier/0",
            """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRtSlLR\
            sWit87i+vftD8AEqeQ==
            """, isDevelopment: true),
        apple(
            "apple-development-identifier/1",
            """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6qWwF1\
            BDFq+QHqKfH5u+wxHQ==
            """, isDevelopment: true),
    ]
}

private func apple(_ name: StaticString, _ spki: StaticString, isDevelopment: Bool = false) -> GivenKey {
    GivenKey(name: [UInt8](name.bytes), spki: [UInt8](spki.bytes), isDevelopment: isDevelopment)
}
