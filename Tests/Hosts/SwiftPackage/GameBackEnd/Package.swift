// swift-tools-version: 6.2
import PackageDescription

// A game's back end as a package of its own: it depends on libskan by version, as any Swift package would. LIBSKAN_URL
// says where from; dependents.sh sets it to a local clone. Without the default traits, as who wants no Foundation depends
// on it.
let package = Package(
    name: "GameBackEnd",
    dependencies: [
        .package(
            url: Context.environment["LIBSKAN_URL"] ?? "https://example.com/libskan.git", from: "0.1.0", traits: [])
    ],
    targets: [
        .executableTarget(name: "GameBackEnd", dependencies: [.product(name: "SKAN", package: "libskan")])
    ]
)
