// swift-tools-version: 6.2
import PackageDescription

// One process with libskan three times: as the Swift package, as the C library it is linked with, and as a copy of the
// C library it opens itself. dependents.sh sets LIBSKAN_URL and says where skan.h and libskan.so are.
let package = Package(
    name: "Together",
    dependencies: [
        .package(url: Context.environment["LIBSKAN_URL"] ?? "https://example.com/libskan.git", from: "0.2.0")
    ],
    targets: [
        .systemLibrary(name: "LinkedLibrary"),
        .executableTarget(
            name: "Together", dependencies: [.product(name: "SKAN", package: "libskan"), "LinkedLibrary"]),
    ]
)
