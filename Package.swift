// swift-tools-version: 6.2
import PackageDescription

// Made with the trait EmbeddedLibrary, the core, the engine and the C interface are compiled as Embedded Swift: that is
// how the Makefile builds libskan.so and libskan.a. Swift packages use SKAN without it.
let embeddable: [SwiftSetting] = [
    .enableExperimentalFeature("Embedded", .when(traits: ["EmbeddedLibrary"]))
]

let package = Package(
    name: "libskan",
    products: [
        .library(name: "SKAN", targets: ["SKAN"])
    ],
    traits: [
        .trait(name: "EmbeddedLibrary", description: "Compiles what libskan.so is made of as Embedded Swift.")
    ],
    targets: [
        .systemLibrary(name: "CSKAN", path: "Include/skan"),
        .target(name: "CSupport", linkerSettings: [.linkedLibrary("json-c")]),
        .target(name: "SKANCore", swiftSettings: embeddable),
        .target(name: "SKANEngine", dependencies: ["SKANCore", "CSupport"], swiftSettings: embeddable),
        .target(name: "SKANLibrary", dependencies: ["SKANEngine", "CSKAN"], swiftSettings: embeddable),
        .target(name: "SKAN", dependencies: ["SKANCore", "SKANEngine", "CSupport"]),
        .testTarget(name: "SKANCoreTests", dependencies: ["SKANCore", "SKANEngine"]),
        .testTarget(name: "SKANTests", dependencies: ["SKAN"]),
    ]
)
