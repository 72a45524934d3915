import SKANCommandOutput
import Testing

struct MaskedURLTests {
    @Test(arguments: [
        ("x://user:s3cret@host/db", "x://user:***@host/db"),
        ("x://:s3cret@host:6379/0", "x://:***@host:6379/0"),
        ("x://user:s3/cr@et?@host/db", "x://user:***@host/db"),
        ("x://host/db?password=s3cret&sslmode=require", "x://host/db?password=***&sslmode=require"),
        ("x://host/db?a=1&sslPassword=s3cret", "x://host/db?a=1&sslPassword=***"),
        ("x://u:s3cret@host/db?password=s3cret", "x://u:***@host/db?password=***"),
        ("x://host:5432/db?password=s3@s3cret", "x://***"),
        ("x://u:s3cret?pass=s3cret@host", "x://***"),
        ("host=db password=s3cret dbname=x", "host=db password=*** dbname=x"),
        ("x://host/db", "x://host/db"),
        ("sqlite:a@b:c", "sqlite:a@b:c"),
        ("", ""),
    ])
    func noPasswordIsShown(_ url: String, _ masked: String) {
        let found = Array(url.utf8).withUnsafeBytes { maskedURL($0) }
        #expect(String(decoding: found.utf8, as: UTF8.self) == masked)
    }
}
