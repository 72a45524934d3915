internal import SKANCore

/// Words for keys that stores confuse with others, quote wrongly, or use for themselves.
enum KeyWords {
    /// Keys that differ only in case, and keys with letters that have more than two case forms: Kelvin sign, dotless i
    /// and I with a dot, long s, sharp s, sigma and its final form, Cyrillic zhe.
    static let cases: [Message] = [
        "key", "Key", "KEY", "kEY", "\u{212A}ey", "i", "I", "\u{131}", "\u{130}", "s", "S", "\u{17F}",
        "stra\u{DF}e", "strasse", "STRASSE", "STRA\u{1E9E}E", "\u{E9}", "\u{C9}", "\u{3C3}", "\u{3C2}", "\u{3A3}",
        "\u{436}", "\u{416}",
    ]

    /// Keys with spaces in different places, and with different kinds of spaces: no-break, ideographic, line separator,
    /// next line, zero width.
    static let spaces: [Message] = [
        "key", "key ", "key  ", " key", "  key", " key ", "k ey", "k  ey", " ", "  ", "   ", "key\u{A0}",
        "key\u{3000}", "\u{2028}key", "key\u{85}", "key\u{200B}",
    ]

    /// Characters that look alike or that Unicode treats as equal, and forms into which a store may convert them.
    static let unicode: [Message] = [
        "e", "\u{E9}", "e\u{301}", "e\u{300}", "A", "\u{C5}", "\u{212B}", "A\u{30A}", "fi", "\u{FB01}", "1",
        "\u{FF11}", "\u{B9}", "\u{AC00}", "\u{1100}\u{1161}", "q\u{307}\u{323}", "q\u{323}\u{307}", "o", "oe",
        "\u{F6}", "o\u{308}", "\u{153}", "ab", "a\u{200D}b", "a\u{AD}b", "\u{FEFF}ab", "\u{80}", "\u{9F}",
        "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1F600}", "\u{1F601}", "\u{10000}", "\u{10FFFF}", "?",
        "??", "????", "\u{FFFD}\u{FFFD}",
    ]

    static let patterns: [Message] = [
        "ab", "a%", "%", "%%", "a_", "__", "_", "*", "a*", "?", "a?", "??", "[ab]", "[a]", "[^b]", ".", "..",
        "a.", ".*", "^a", "b$", "a|b", "a\\%", "a\\*", "\\", "\\\\",
    ]

    static let languages: [Message] = [
        "'", "''", "\"", "\"\"", "`", "``", "\\'", "\\\"", "\\", "\\\\", "\\0", "\\n", "\\x41", "\\u0041", "A",
        "' OR '1'='1", "' OR 1=1 --", "'; DROP TABLE records; --", "x'41'", "/* */", "--", ";", "a;b", "?1",
        ":name", "@name", "$1", "${name}", "$(name)", "%s", "%n", "%d%s", "%%s", "%", "%25", "%2525", "%20", "+",
        "]]", "]] .. error() --[[", "[[", "\\27", "redis.call('FLUSHALL')", "KEYS[1]", "ARGV[1]", "a b", "a,b",
        "a=b", "a&b", "a#b", "a?b=c", "<a>", "&lt;a&gt;", "(a)", "a:b", "a::b", "/", "//", "a/b", "a//b", "./a",
        "../a", "a/../b", "b", "~", "a\\b", "C:\\a", "http://a/b",
    ]

    static let braces: [Message] = [
        "{a}", "{a}1", "{a}2", "1{a}", "a", "{a", "a}", "{", "}", "{}", "{}a", "{{a}}", "{a}{b}", "{b}{a}",
        "{{a}", "}{", "{\"a\":1}", "[1]", "{0}", "{1}",
    ]

    static let numbers: [Message] = [
        "0", "00", "-0", "+0", "0.0", "1", "01", "001", "1.0", "1.", "+1", "1e0", "0x1", "10", "1e1", "1_0",
        "1,0", "9007199254740992", "9007199254740993", "9007199254740992.0", "18446744073709551615",
        "18446744073709551616", "340282366920938463463374607431768211456",
        "340282366920938463463374607431768211457", "1.00000000000000000", "1.00000000000000001", "inf",
        "Infinity", "nan", "NaN", "NULL", "null", "nil", "None", "true", "True", "false", "TRUE",
        "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "2024-01-01", "2024-1-1",
    ]

    static let ownNames: [Message] = [
        "key", "key:v", "key:version", "key.version", "key/version", "key-version", "key_version", "key#version",
        "key:data", "key:record", "key:lock", "key.lock", "key.tmp", "key~", "key:deleted", "key/", "key:",
        "v:key", "version", "versions", ":version", "__version__", "counter", "sequence", "next_version",
        "records", "meta", "skan", "skan:version", "skan:versions", "skan:counter", "1:key", "2:key",
    ]

    /// Keys with a special meaning in some databases or languages.
    static let odd: [Message] = [
        "a", "A", "a ", " a", "  ", "%", "a%", "_", "*", "?", "[a]", "{}", "{a}", "{a}b", "b{a}", "'", "''", "\"",
        "\"\"", "\\", "\\\\", "\\0", "\\x00", "$1", "?1", ":a", "#", ",", "a,b", "(a,b)", "{\"a\":1}", "NULL",
        "null", "1", "01", "1.0", "0x1", "';--", "a/b", "a:b", "a;b", "a|b", "%25", "\u{E9}", "e\u{301}",
        "\u{80}", "\u{FEFF}", "\u{1F3AE}", "\u{10FFFF}", "\u{202E}", "\u{2028}", "cursor", "0",
    ]
}
