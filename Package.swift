// swift-tools-version: 6.2
import PackageDescription

/// A module: its name, the folder of Sources that it is, what it is built on.
func module(_ name: String, _ folder: String, _ needs: [String], links: [String] = []) -> Target {
    .target(
        name: name, dependencies: needs.map { .byName(name: $0) }, path: "Sources/" + folder,
        linkerSettings: links.map { .linkedLibrary($0) })
}

/// Other people's C as a module: headers, no code.
func headers(_ name: String, _ folder: String, of package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/" + folder, pkgConfig: pkgConfig, providers: [.apt([package])])
}

// Where a subject has three storeys, its Library is compiled by the Makefile alone, for libskan-*.so.
let modules: [Target] = [
    headers("CSKANSystem", "Libc", of: "libc6-dev"),
    module("SKANSystem", "System/Calls", ["SKANCore", "CSKANSystem"]),
    module("SKANCompanionLibrary", "Core/Companion", ["SKANCore", "SKANSystem", "CSKAN"]),

    module("SKANStorePool", "Stores/Pool", ["SKANCore", "SKANSystem", "CSKANSystem"]),
    module("SKANStoreLibrary", "Stores/Library", ["SKANStorePool", "SKANCore", "SKANSystem", "CSKAN", "CSKANSystem"]),
    module("SKANStoreThreads", "Stores/Swift", ["SKAN", "SKANCore", "SKANStorePool", "SKANSystem", "CSKANSystem"]),

    headers("CSKANSQLite3", "SQLite", of: "libsqlite3-dev"),
    module(
        "SKANSQLiteRecords", "Stores/SQLite/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANSQLite3", "CSKANSystem"], links: ["sqlite3"]),
    module(
        "SKANSQLiteLibrary", "Stores/SQLite/Library", ["SKANSQLiteRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANSQLite", "Stores/SQLite/Swift", ["SKANSQLiteRecords", "SKANStoreThreads"]),

    headers("CSKANCurl", "Curl", of: "libcurl4-openssl-dev"),
    module(
        "SKANHTTPClient", "HTTP/Client", ["SKANCore", "SKANSystem", "CSKANCurl", "CSKANSystem"], links: ["curl"]),
    module("SKANHTTPLibrary", "HTTP/Library", ["SKANHTTPClient", "SKANCompanionLibrary"]),
    module("SKANHTTP", "HTTP/Swift", ["SKAN", "SKANCore", "SKANHTTPClient", "SKANSystem"]),

    headers("CSKANPQ", "PQ", of: "libpq-dev", pkgConfig: "libpq"),
    module(
        "SKANPostgresRecords", "Stores/Postgres/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANPQ", "CSKANSystem"]),
    module(
        "SKANPostgresLibrary", "Stores/Postgres/Library",
        ["SKANPostgresRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANPostgres", "Stores/Postgres/Swift", ["SKANPostgresRecords", "SKANStoreThreads"]),
    .testTarget(
        name: "SKANPostgresTests",
        dependencies: ["SKANPostgresRecords", "SKANStorePool", "SKANSystem", "SKANCore", "CSKANPQ"],
        path: "Tests/Postgres/Swift"),

    headers("CSKANCrypto", "Crypto", of: "libssl-dev"),
    module(
        "SKANPostbackVerification", "Postbacks/Verify", ["SKANCore", "CSKANCrypto", "CSKANSystem"], links: ["crypto"]),
    module(
        "SKANPostbackReceiving", "Postbacks/Receive",
        ["SKANPostbackVerification", "SKANEngine", "SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANPostbackLibrary", "Postbacks/Library",
        [
            "SKANPostbackReceiving", "SKANPostbackVerification", "SKANStorePool", "SKANCompanionLibrary", "SKANCore",
            "SKANSystem", "CSKANSupport",
        ]),
    module("SKANPostback", "Postbacks/Swift", ["SKANPostbackVerification", "SKANCore", "SKAN"]),

    headers("CSKANHiredis", "Hiredis", of: "libhiredis-dev"),
    module(
        "SKANRedisRecords", "Stores/Redis/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANHiredis", "CSKANSystem"], links: ["hiredis"]),
    module(
        "SKANRedisLibrary", "Stores/Redis/Library", ["SKANRedisRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANRedis", "Stores/Redis/Swift", ["SKANRedisRecords", "SKANStoreThreads"]),
    .testTarget(
        name: "SKANRedisTests", dependencies: ["SKANRedisRecords", "SKANCore", "CSKANHiredis"],
        path: "Tests/Redis/Swift"),

    module("SKANStoreLaws", "Stores/Kit/Laws", ["SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANStoreKitLibrary", "Stores/Kit/Library",
        ["SKANStoreLaws", "SKANCore", "SKANSystem", "CSKAN", "CSKANSystem"]),
    module("SKANStoreKit", "Stores/Kit/Swift", ["SKAN", "SKANStoreLaws", "SKANCore", "SKANSystem"]),
    .testTarget(
        name: "SKANStoreLawsTests", dependencies: ["SKANStoreLaws", "SKANCore", "SKANSystem"],
        path: "Tests/StoreKit/Swift"),

    .testTarget(
        name: "SKANPostbackTests",
        dependencies: ["SKAN", "SKANCore", "SKANPostback", "SKANPostbackVerification", "SKANPostbackReceiving"],
        path: "Tests/Postback/Swift"),

    .testTarget(
        name: "SKANStoresTests",
        dependencies: [
            "SKANCore", "SKAN", "SKANStorePool", "SKANStoreThreads", "SKANSystem", "SKANSQLite", "SKANPostgres",
            "SKANRedis", "SKANStoreKit",
        ]),
]

let package = Package(
    name: "libskan",
    products: [
        .library(name: "SKAN", targets: ["SKAN"]),
        .library(name: "SKANHTTP", targets: ["SKANHTTP"]),
        .library(name: "SKANSQLite", targets: ["SKANSQLite"]),
        .library(name: "SKANPostgres", targets: ["SKANPostgres"]),
        .library(name: "SKANRedis", targets: ["SKANRedis"]),
        .library(name: "SKANPostback", targets: ["SKANPostback"]),
        .library(name: "SKANStoreKit", targets: ["SKANStoreKit"]),
    ],
    traits: [
        .default(enabledTraits: ["LocalizedErrors"]),
        .trait(
            name: "LocalizedErrors",
            description: "Foundation's localizedDescription of an error is its message. Links FoundationEssentials."),
    ],
    targets: [
        .systemLibrary(name: "CSKAN", path: "Include/skan"),
        .target(
            name: "CSKANSupport", path: "Sources/System/Support", linkerSettings: [.linkedLibrary("json-c")]),
        // The Makefile compiles these three once more for libskan.so, as Embedded Swift. No setting or trait of the
        // package says so: it would hold for SKAN too, which is built on them and cannot be compiled that way.
        .target(name: "SKANCore", dependencies: ["CSKANSupport"], path: "Sources/Core/Rules"),
        .target(name: "SKANEngine", dependencies: ["SKANCore", "CSKANSupport"], path: "Sources/Core/Engine"),
        .target(name: "SKANLibrary", dependencies: ["SKANEngine", "CSKAN"], path: "Sources/Core/Library"),
        .target(name: "SKAN", dependencies: ["SKANCore", "SKANEngine", "CSKANSupport"], path: "Sources/Core/Swift"),
        .testTarget(name: "SKANCoreTests", dependencies: ["SKANCore", "SKANEngine"]),
        .testTarget(name: "SKANTests", dependencies: ["SKAN", "SKANCore"]),
        .testTarget(
            name: "SKANHTTPTests", dependencies: ["SKAN", "SKANCore", "SKANHTTP", "SKANHTTPClient", "SKANSystem"],
            path: "Tests/HTTP/Swift"),
    ] + modules
)
