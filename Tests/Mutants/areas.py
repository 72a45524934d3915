"""The areas that changes are made in: their sources, how many changes are tried, and the tests that have to notice.

The steps of an area are in the order of what they cost, but for the vectors, which come first: they notice nearly every
change of the core. Most changes are noticed by the first step.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# What is not compiled with all its mutants: one at a time stands in a copy.
LANGUAGES = ("Python", "C++", "Embedded Swift")


@dataclass(frozen=True)
class Step:
    """Tests that run together: Swift's by a filter, a program by its make target, files of pytest, or a script."""

    name: str
    kind: str
    arguments: tuple[str, ...]
    skipped: str = ""


def swift(name: str, only: str, skipped: str = "") -> Step:
    return Step(name, "swift", (only,), skipped)


def program(name: str, *arguments: str) -> Step:
    """One of checks.mk's programs, with its arguments."""
    return Step(name, "program", (name, *arguments))


def pytest(*words: str) -> Step:
    return Step(" ".join(word for word in words if word.startswith("Tests/")), "pytest", words)


def script(*words: str) -> Step:
    return Step(words[0], "script", words)


@dataclass(frozen=True)
class Area:
    name: str
    # By folder of Sources, the module, or the language; of a binding, a folder or file of Bindings.
    modules: dict[str, str]
    tests: tuple[str, ...]
    steps: tuple[Step, ...]
    # One change for so many lines of a file; at most so many in the area, 0 for any number.
    lines: int = 120
    most: int = 0
    # Modules of Package.swift that programs of the steps are linked with; nothing else is built but Swift's tests.
    roots: tuple[str, ...] = ()
    # Targets of make that the steps need besides those that are named as theirs.
    targets: tuple[str, ...] = ()

    @property
    def is_copied(self) -> bool:
        """Whether one mutant at a time stands in a copy."""
        return not set(self.modules.values()).isdisjoint(LANGUAGES)

    @property
    def root(self) -> Path:
        """The folder of its files in the tree; those of Sources are named without it where they are compiled."""
        if not self.is_copied:
            return Path()
        return Path("Sources" if "Embedded Swift" in self.modules.values() else "Bindings")

    def has(self, file: str) -> bool:
        return any(Path(file).is_relative_to(self.root / folder) for folder in self.modules)

    def programs(self) -> list[str]:
        return [*self.targets, *(step.arguments[0] for step in self.steps if step.kind == "program")]


# The core's tests but for the few that take nearly all of their time; they come last.
SLOW = (
    "aSequenceIsAsLongAsTheTableSays|everySequenceOfFourEndsCountsOnce|everyDoubleIsReadAsItsDescription|"
    "aRecordIsReadAsItWasWritten|anyDigitsAtAnyPlaceAreReadAsTheirDescription"
)
# What judges the core by the calls of Swift's module, besides vectors.
CORE_IN_SWIFT = r"^SKANTests\.(Argument|EndpointLives|Endpoint|Many|SharedStore)Tests"
# What stores over servers have without a server.
STORES_PARTS = r"(Redis\w+|RecordTable|Server(Answer|Words)|PostgresAddress|ManyKeys)Tests"
HTTP_SERVER = "Tests/Trouble/HTTP/server.py"
# What the vectors come to where calls are put together, in the folder of the programs of bindings.
TOGETHER = "vectors/together.jsonl"
VECTORS = ("Tests/Vectors", f"PROGRAMS/{TOGETHER}", ".")
COMMAND = ("bin/skan", "bin/faulty-skan")
COMMAND_ROOTS = ("SKANCommandProgram", "SKANFaultyCommand")

AREAS = (
    Area(
        "core",
        {"Core/Rules": "SKANCore", "Core/Engine": "SKANEngine"},
        ("SKANCoreTests", "SKANTests", "SKANStoresTests"),
        (
            swift("the vectors", "VectorsTests|StoreFaultTests"),
            swift("the core", r"^SKANCoreTests\.", SLOW),
            swift("the core in Swift", CORE_IN_SWIFT),
            program("core/contract"),
            program("core/faults"),
            swift("the laws on the in-memory store", "MemoryStoreTests"),
            program("core/threads", "5000"),
            swift("the core's slow tests", SLOW),
        ),
        lines=20,
        roots=("SKANLibrary",),
    ),
    Area(
        "models",
        {"Core/Rules/Model": "SKANCore"},
        ("SKANCoreTests", "SKANTests"),
        (swift("the vectors", "VectorsTests|StoreFaultTests"), swift("the core", r"^SKANCoreTests\.", SLOW)),
        lines=15,
    ),
    Area(
        "exchange",
        {"Command/Models": "SKANCommandModels"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest("Tests/Command/Models/Program/test_exchange.py"),
            pytest("Tests/Command/Models"),
        ),
        lines=40,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "pool",
        {"Stores/Pool": "SKANStorePool"},
        ("SKANStoresTests",),
        (
            swift("the pool", "PoolTests|threadsThatWait"),
            swift("the stores in Swift", r"^SKANStoresTests\."),
            program("sqlite/store"),
            program("sqlite/purchases", "200"),
        ),
        roots=("SKANLibrary", "SKANSQLiteLibrary", "SKANStoreKitLibrary"),
        most=8,
    ),
    Area(
        "sqlite",
        {"Stores/SQLite/Records": "SKANSQLiteRecords"},
        (),
        (program("sqlite/trouble"), program("sqlite/faults"), program("sqlite/store")),
        roots=("SKANLibrary", "SKANSQLiteLibrary", "SKANStoreKitLibrary"),
        lines=40,
        most=10,
    ),
    Area(
        "redis",
        {"Stores/Redis/Records": "SKANRedisRecords"},
        ("SKANStoresTests",),
        (
            swift("the stores' parts in Swift", STORES_PARTS),
            program("redis/store"),
            program("redis/trouble"),
            program("redis/tls"),
        ),
        roots=("SKANLibrary", "SKANRedisLibrary", "SKANStoreKitLibrary"),
        most=9,
    ),
    Area(
        "postgres",
        {"Stores/Postgres/Records": "SKANPostgresRecords"},
        ("SKANStoresTests",),
        (
            swift("the stores' parts in Swift", STORES_PARTS),
            program("postgres/store"),
            program("postgres/trouble"),
            program("postgres/pooler"),
            program("postgres/sockets"),
        ),
        roots=("SKANLibrary", "SKANPostgresLibrary", "SKANStoreKitLibrary"),
        most=10,
    ),
    Area(
        "http",
        {"HTTP/Client": "SKANHTTPClient"},
        ("SKANHTTPTests",),
        (
            swift("the client in Swift", r"^SKANHTTPTests\."),
            program("http/transport", HTTP_SERVER),
            program("http/client", HTTP_SERVER),
            program("http/misbehaviour", HTTP_SERVER),
            program("http/forks", HTTP_SERVER),
        ),
        roots=("SKANLibrary", "SKANHTTPLibrary"),
        most=10,
    ),
    Area(
        "postbacks",
        {"Postbacks/Verify": "SKANPostbackVerification", "Postbacks/Receive": "SKANPostbackReceiving"},
        ("SKANPostbackTests",),
        (swift("postbacks in Swift", r"^SKANPostbackTests\."), program("postback/verify"), program("postback/receive")),
        roots=("SKANLibrary", "SKANPostbackLibrary", "SKANSQLiteLibrary"),
        most=14,
    ),
    Area(
        "server",
        {"Command/Server": "SKANCommandServer"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest("Tests/Command/Server"),
            pytest("Tests/Command/Receive"),
            pytest("Tests/Command/Outbox", "--deselect=Tests/Command/Outbox/Program/test_kills.py"),
        ),
        most=14,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "outbox",
        {"Command/Outbox": "SKANCommandOutbox"},
        ("SKANCommandTests",),
        (swift("the command in Swift", r"^SKANCommandTests\."), pytest("Tests/Command/Outbox")),
        most=10,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "receive",
        {"Command/Receive": "SKANCommandReceive"},
        ("SKANCommandTests",),
        (swift("the command in Swift", r"^SKANCommandTests\."), pytest("Tests/Command/Receive")),
        lines=60,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "report",
        {"Command/Report": "SKANCommandReport", "Command/Rows": "SKANCommandRows"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest("Tests/Command/Report"),
            pytest("Tests/Truth", "-k", "spend_is_compared"),
        ),
        most=10,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "campaigns",
        {"Command/Rows/Campaigns": "SKANCommandRows"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest(*(f"Tests/Command/Report/Program/test_{name}.py" for name in ("campaigns", "dated_costs", "apps"))),
            pytest("Tests/Command/Report"),
        ),
        lines=40,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "page",
        {"Command/Report/Page": "SKANCommandReport"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest("Tests/Command/Report/Program/test_page.py"),
            pytest("Tests/Command/Report"),
        ),
        lines=60,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "estimates",
        {"Truth": "SKANTruth", "Command/Report/Estimates": "SKANCommandReport"},
        ("SKANTruthTests", "SKANCommandTests"),
        (
            swift("the estimates in Swift", r"^SKAN(Truth|Command)Tests\."),
            pytest("Tests/Command/Report"),
            pytest("Tests/Truth", "-k", "spend_is_compared or estimates_hold"),
        ),
        lines=40,
        most=30,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    Area(
        "records",
        {"Command/Records": "SKANCommandRecords", "Command/Stores": "SKANCommandStores"},
        ("SKANCommandTests",),
        (
            swift("the command in Swift", r"^SKANCommandTests\."),
            pytest("Tests/Command/Records"),
            pytest("Tests/Command/skan", "--deselect=Tests/Command/skan/test_memory.py"),
            pytest("Tests/Command/Server/Program/test_configuration.py"),
        ),
        most=10,
        roots=COMMAND_ROOTS,
        targets=COMMAND,
    ),
    # Of classes only what is told: an initializer that may fail after its object was allocated, as plain Swift permits.
    Area(
        "classes",
        {"HTTP": "Embedded Swift", "Stores": "Embedded Swift"},
        (),
        (script(".ci/initializers.py", "COPY"),),
    ),
    Area(
        "python",
        {"Python/libskan": "Python"},
        (),
        (
            pytest(*(f"Tests/Hosts/Python/test_{name}.py" for name in ("many", "values", "errors", "greenlets"))),
            pytest("Tests/Hosts/Python"),
            script("Tests/Vectors/runner.py", *VECTORS),
        ),
        lines=40,
        most=30,
        targets=(TOGETHER,),
    ),
    Area(
        "asyncio",
        {"Python/libskan/aio.py": "Python", "Python/libskan/_awaited.py": "Python"},
        (),
        (pytest("Tests/Hosts/Python/test_aio.py"), pytest("Tests/Hosts/Python")),
        lines=15,
        most=20,
    ),
    Area(
        "cpp",
        {"Cpp/skan/skan.hpp": "C++"},
        (),
        (
            program("cpp/binding"),
            program("cpp/many"),
            program("cpp/models"),
            program("cpp/reengagements"),
            program("vectors/cpp", *VECTORS),
        ),
        lines=40,
        most=30,
    ),
)
NAMES = tuple(area.name for area in AREAS)


def named(names: list[str]) -> list[Area]:
    return [area for area in AREAS if area.name in names]
