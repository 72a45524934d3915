"""Every snippet of README does what it says. The quick starts ask README's own endpoint, and each gets a value."""

import json
import os
import re
import sys

import snippets
import test_articles
from snippet_case import (
    APPLES_PATH,
    BUILD,
    ELSEWHERE,
    SNIPPETS,
    TOP,
    SnippetCase,
    code,
    covered,
    covers,
    one_of_apples,
    run,
)


class TestAll(SnippetCase):
    def test_every_snippet_is_tried(self):
        self.assertTrue(test_articles)  # which says what it covers
        self.assertEqual(covered, set(SNIPPETS))

    def test_what_is_tried_elsewhere_is_tried_there(self):
        rules = "\n".join(path.read_text(encoding="utf-8") for path in [TOP / "Makefile", *TOP.glob("*/**/*.mk")])
        for line, rule in ELSEWHERE.items():
            self.assertRegex(rules, rf"(?m)^(task\.{rule} =|([\w-]+ )*{rule}( [\w-]+)*:)", line)
            self.assertTrue(any(line in map(code, each.text.splitlines()) for each in SNIPPETS.values()), line)

    def test_code_that_would_not_be_seen_is_refused(self):
        for text in ("text\n\n    code\n", "```\ncode\n```\n", "```c\ncode\n", "~~~\ncode\n~~~\n"):
            path = self.folder / "README.md"
            path.write_text(text, encoding="utf-8")
            with self.assertRaises(ValueError, msg=text):
                snippets.read(path)

    @covers("Contributing/Where things are: text")
    def test_the_tree_is_the_tree(self):
        named, parent = set(), ""
        for line in SNIPPETS["Contributing/Where things are: text"].text.splitlines():
            names = re.split(r"  +", line.strip())[0].split()
            if not line.startswith(" "):
                parent = names[0] if len(line.split()) == 1 else ""
            named.update((parent if line.startswith(" ") else "") + name.rstrip("/") for name in names)
        for name in named:
            self.assertTrue((TOP / name).exists(), name)
        for folder in ("Sources", "Tests"):
            there = {f"{folder}/{each.name}" for each in (TOP / folder).iterdir() if each.is_dir()}
            self.assertLessEqual(there - {f"{folder}/__pycache__"}, named)

    def test_links_lead_somewhere(self):
        text = (TOP / "README.md").read_text(encoding="utf-8")
        for snippet in SNIPPETS.values():
            text = text.replace(snippet.text, "")
        anchors = set()
        for line in re.findall(r"(?m)^## (.*)$", text):
            anchor = re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-")
            anchors.add("#" + (f"{anchor}-1" if "#" + anchor in anchors else anchor))
        for link in re.findall(r"\]\(([^)]*)\)", text):
            if link.startswith("#"):
                self.assertIn(link, anchors)
            elif not link.startswith("https://"):
                self.assertTrue((TOP / link).exists(), link)

    def test_it_has_220_lines_at_most(self):
        self.assertLessEqual(len((TOP / "README.md").read_text(encoding="utf-8").splitlines()), 220)


class TestPrograms(SnippetCase):
    @covers("C: c")
    def test_c(self):
        with self.endpoint() as placed:
            source = self.program("C: c", "quick_start.c", **placed)
            self.native(os.environ.get("CC", "gcc"), ["-std=c11"], source, ["libskan-http.so", "libskan.so"])

    @covers("C++: cpp")
    def test_cpp(self):
        with self.endpoint() as placed:
            source = self.program("C++: cpp", "quick_start.cpp", **placed)
            self.native(os.environ.get("CXX", "g++"), ["-std=c++17"], source, ["libskan-http.so", "libskan.so"])

    @covers("Python: python")
    def test_python(self):
        with self.endpoint() as placed:
            run(sys.executable, "-W", "error", self.program("Python: python", "quick_start.py", **placed))

    @covers("Swift: swift")
    def test_swift(self):
        with self.endpoint() as placed:
            self.swift(self.program("Swift: swift", "quick_start.swift", **placed), "SKAN", ["-ljson-c"])


class TestShell(SnippetCase):
    @covers("Try it: sh")
    @covers("Python: sh")
    def test_all_lines_are_tried_elsewhere(self):
        self.assertEqual(self.lines("Try it: sh") + self.lines("Python: sh"), [])

    @covers("Try it: sh 2")
    def test_a_prefix_of_ones_own(self):
        install, path, compile_ = self.lines("Try it: sh 2")
        # Companions are installed by Tests/Hosts/Install.
        self.sh(f"{install} COMPANIONS= BUILD={BUILD}", TOP)
        (self.folder / "server.c").write_text(
            "#include <skan/skan.h>\nint main(void) { return skan_abi_version() != SKAN_ABI_VERSION; }\n")
        self.sh(f"{path}\n{compile_}\n./a.out")
        self.assertEqual(self.sh(f"{path}\ncommand -v skan"), f"{self.folder}/skan/bin/skan\n")

    @covers("Try it: sh 3")
    def test_the_endpoint(self):
        with self.endpoint() as placed:
            self.ask(int(placed["url"].rpartition(":")[2]))
        self.assertIn("127.0.0.1:8080", self.sh("skan help serve"))

    @covers("Stores, models, postbacks and reports: sh")
    def test_from_postbacks_to_a_report(self):
        _, check, _, receive, report = self.lines("Stores, models, postbacks and reports: sh")
        with self.receiver() as post:
            post(APPLES_PATH)
        self.assertIn("OK", self.sh(check))
        (self.folder / "march").mkdir()
        arrived = {**json.loads(one_of_apples()), "received_at": "2026-03-01T12:00:00Z"}
        (self.folder / "march" / "1.json").write_text(json.dumps(arrived))
        self.assertEqual(self.sh(receive), "1 postback read, 0 counted, 1 duplicate\n")
        self.sh(report)
        self.assertIn("Revenue that values report", (self.folder / "report.html").read_text(encoding="utf-8"))
