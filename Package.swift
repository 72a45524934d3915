// swift-tools-version: 6.2
import PackageDescription

/// Where C finds <skan/skan.h>.
let headers: [CSetting] = [.headerSearchPath("../../Include")]

/// In libskan-*.so what is not declared in a public header is hidden. Here it is all linked into the user's program:
/// these names get a prefix there. Tests/SwiftPackage/names.sh finds those that are missing.
func prefixed(_ prefix: String, _ names: String) -> [CSetting] {
    names.split { $0 == " " || $0 == "\n" }.map { .define(String($0), to: prefix + $0) }
}
let support = prefixed(
    "skan_store_",
    """
    group_saver_create group_saver_destroy group_saver_save many_load many_save milliseconds_now option_is_at_most
    options_read pool_close pool_give_back pool_open pool_take pooled_store_close pooled_store_end pooled_store_fill
    pooled_store_open trouble_given trouble_reported trouble_set version_draw
    """)
let kit = prefixed(
    "skan_store_",
    """
    kit_allocate kit_clear kit_close kit_conflict_laws kit_draw kit_draw_below kit_draw_order kit_end_items
    kit_end_listing kit_exact_key kit_expect_no_repetition kit_fail kit_handle_laws kit_holds kit_holds_nothing
    kit_is_durable kit_is_listed kit_item_conflicts kit_item_holds kit_item_holds_nothing kit_item_is_saved kit_items
    kit_key kit_key_laws kit_law_prefix kit_list kit_list_laws kit_list_page kit_load kit_load_many kit_load_many_laws
    kit_longest_key kit_not_applicable kit_odd_keys kit_offers kit_open kit_open_laws kit_open_own
    kit_parallel_batch_laws kit_parallel_laws kit_print kit_print_bytes kit_record_laws kit_remove kit_remove_conflicts
    kit_removes kit_reopen kit_run_threads kit_save kit_save_conflicts kit_save_many kit_save_many_laws kit_saves
    kit_sequence_laws kit_sort_listing kit_version_laws kit_versions_add kit_versions_end kit_versions_repeated
    """)

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
        ["SKANPostbackVerification", "SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANPostbackLibrary", "Postbacks/Library",
        ["SKANPostbackReceiving", "SKANPostbackVerification", "SKANCompanionLibrary", "SKANCore", "SKANSystem"]),
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
]

// The stores are those of C: their sources, what they share, and the functions of skan.h that they call.
let stores: [Target] = [
    .target(
        name: "CStoreSupport", path: "Sources/StoreSupport", exclude: ["companion.mk"], publicHeadersPath: ".",
        cSettings: headers + support),
    .target(name: "CStoreAccess", path: "Sources/SKANStores/Access"),
    .target(
        name: "SKANCStore", dependencies: ["SKAN", "SKANLibrary", "CSKAN", "CStoreAccess"],
        path: "Sources/SKANStores/CStore"),

    .testTarget(
        name: "SKANPostbackTests",
        dependencies: ["SKAN", "SKANCore", "SKANPostback", "SKANPostbackVerification", "SKANPostbackReceiving"],
        path: "Tests/Postback/Swift"),

    .target(name: "CStoreKit", path: "Sources/StoreKit", publicHeadersPath: ".", cSettings: headers + kit),
    .target(
        name: "SKANStoreKit", dependencies: ["SKAN", "SKANLibrary", "CSKAN", "CStoreAccess", "CStoreKit"],
        path: "Sources/Stores/Kit/Swift"),

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
    ] + modules + stores
)
