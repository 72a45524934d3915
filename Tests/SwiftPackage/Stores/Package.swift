// swift-tools-version: 6.2
import PackageDescription

// Programs with libskan's stores, in a package of their own. LIBSKAN_URL says where libskan is; dependents.sh sets it.
let package = Package(
    name: "Stores",
    dependencies: [
        .package(url: Context.environment["LIBSKAN_URL"] ?? "https://example.com/libskan.git", from: "0.1.0")
    ],
    targets: [
        .executableTarget(
            name: "Keeper",
            dependencies: [
                .product(name: "SKAN", package: "libskan"), .product(name: "SKANSQLite", package: "libskan"),
            ]),
        .executableTarget(
            name: "Prover",
            dependencies: [
                .product(name: "SKAN", package: "libskan"), .product(name: "SKANStoreKit", package: "libskan"),
            ]),
    ]
)
