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
        ("host=db password = s3cret dbname=x", "host=db password = *** dbname=x"),
        ("password='s3cret with \\' blanks' host=db", "password=*** host=db"),
        ("password=s3\\ cret host=db", "password=*** host=db"),
        ("password='s3cret", "password=***"), ("password=s3cret\\", "password=***"), ("password host", "password host"),
        // The scheme is misspelt.
        ("redis:/u:s3cret@host", "redis:***@host"), ("redis:u:s3cret@host:6379/0", "redis:***@host:6379/0"),
        ("redis;//u:s3cret@host", "redis;//u:***@host"), ("postgresql//u:s3@cret@host", "postgresql//u:***@host"),
        ("redis: //u:s3cret@host", "redis:***@host"), ("redis:s3cret@host", "redis:***@host"),
        ("redis:/u:s3cret?pass=s3cret@host", "redis:***"), ("u:s3cret@host", "u:***@host"),
        ("/folder/a@b.csv:3", "/folder/a@b.csv:3"), ("a@b", "a@b"),
        ("x://host/db", "x://host/db"),
        ("sqlite:a@b:c", "sqlite:a@b:c"),
        ("", ""),
    ])
    func noPasswordIsShown(_ url: String, _ masked: String) {
        let found = Array(url.utf8).withUnsafeBytes { maskedURL($0) }
        #expect(String(decoding: found.utf8, as: UTF8.self) == masked)
    }
}
