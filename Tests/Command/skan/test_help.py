"""What is made from the tables of options: help, the manual, completion in real shells, files of options."""

import os
import re
import shutil
import subprocess

from tools import COMMAND, TOP, FolderCase, environment, skan

COMPLETIONS = TOP / "Include" / "packaging" / "completions"


def words(*command):
    """What completion has for the next word."""
    answer = skan("help", "--complete", *command, "")
    return [line.split("\t")[0] for line in answer.lines()] if answer.code == 0 else []


def pages():
    """The words of every command."""
    for command in words():
        yield from [[command, part] for part in words(command)] or [[command]]


def options(page):
    """The options in a page's help, each with what stands for its value."""
    return re.findall(r"^  --([a-z-]+)(?: (\S+))?", skan("help", *page).out, re.MULTILINE)


class Manual(FolderCase):
    def test_there_is_a_page_for_every_command(self):
        names = [" ".join(page) for page in pages()]
        self.assertGreaterEqual(len(names), 16)
        self.assertIn("model check", names)
        overview = self.succeeded(skan("help", "--man")).out
        for name in names:
            self.assertIn("skan " + name, overview.replace("\\", ""))

    def test_man_shows_every_option_and_mandoc_finds_no_fault(self):
        for page in [[], *pages()]:
            file = self.folder / ("-".join(["skan", *page]) + ".1")
            file.write_text(self.succeeded(skan("help", "--man", *page)).out)
            shown = subprocess.run(["man", "-l", file], capture_output=True, text=True, timeout=60,
                                   env=environment(MANPAGER="cat", MANWIDTH="80", MAN_KEEP_FORMATTING=""))
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), page)
            plain = re.sub(".\b|\x1b\\[[0-9;]*m", "", shown.stdout).replace("\u2010", "-")
            self.assertIn("NAME", plain)
            for name, value in options(page) if page else []:
                self.assertIn(f"--{name}{' ' + value if value else ''}", plain)
            lint = subprocess.run(["mandoc", "-T", "lint", file], capture_output=True, text=True, timeout=60)
            self.assertEqual((lint.returncode, lint.stdout), (0, ""), page)


class Help(FolderCase):
    def test_every_page_has_eighty_columns_at_most(self):
        for page in [[], *pages()]:
            lines = self.succeeded(skan("help", *page)).lines()
            self.assertEqual([line for line in lines if len(line) > 80], [])

    def test_a_file_of_options_serves(self):
        model = TOP / "Sources" / "SKANModels" / "mixed.json"
        file = self.folder / "serve.conf"
        file.write_text(f"# what skan serve is told\nmodel = {model}\nany-key\nlisten = 127.0.0.1:0\n")
        self.assertIn("the configuration is fine", self.succeeded(skan("serve", "--options", file, "--check")).out)
        file.write_text(f"model = {model}\nmax-users = 0\n  colour = red\n")
        answer = self.succeeded(skan("serve", "--options", file, "--check"), 2)
        self.assertIn(f"skan: {file}:2:13: --max-users: expected a whole number from 1 to 100000000, got \"0\"\n",
                      answer.err)
        self.assertIn(f"skan: {file}:3:3: \"colour\": no such option\n", answer.err)


class Shells(FolderCase):
    """Each shell completes a line, and prints what it offers."""

    def setUp(self):
        super().setUp()
        (self.folder / "skan").symlink_to(COMMAND)
        (self.folder / "players.db").touch()
        self.variables = environment(PATH=f"{self.folder}:{os.environ['PATH']}", HOME=str(self.folder))

    def run_shell(self, *command, given=""):
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=self.folder, input=given,
                             env=self.variables)
        return run.stdout

    def bash(self, line):
        script = (
            f"source {COMPLETIONS / 'skan.bash'}; compopt() {{ compgen -f -- \"$last\"; }}\n"
            f"COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; _skan; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return self.run_shell("bash", "--norc", "-c", script).split()

    def fish(self, line):
        script = f"source {COMPLETIONS / 'skan.fish'}; complete -C {line!r}"
        return [found.split("\t")[0] for found in self.run_shell("fish", "--no-config", "-c", script).splitlines()]

    def zsh(self, line):
        """In an interactive shell on a terminal of its own, whose completion prints what it was offered."""
        functions = self.folder / "functions"
        functions.mkdir(exist_ok=True)
        shutil.copy(COMPLETIONS / "_skan", functions)
        (self.folder / ".zshrc").write_text(
            f"fpath=({functions} $fpath)\nautoload -Uz compinit && compinit -u -d {self.folder}/dump\n"
            "compadd() { local -a offered; builtin compadd -O offered \"$@\"\n"
            f"  print -rl -- $offered >> {self.folder}/offered; builtin compadd \"$@\" }}\n"
            "PS1='ready> '\nzle -C offer menu-complete _main_complete\nbindkey '^T' offer\n")
        offered = self.folder / "offered"
        offered.unlink(missing_ok=True)
        driver = self.folder / "driver.zsh"
        driver.write_text(
            "zmodload zsh/zpty\nzpty shell zsh -i\nzpty -r -m shell out '*ready> *'\n"
            f"zpty -w -n shell {line!r}$'\\C-T'\nsleep 1\nzpty -w -n shell $'\\C-U exit\\n'\n"
            "zpty -r -m shell out '*exit*' || true\nzpty -d shell\n")
        self.run_shell("zsh", "-f", str(driver))
        return offered.read_text().split() if offered.exists() else []

    def test_completion_offers_commands_options_and_words(self):
        for shell in (self.bash, self.fish, self.zsh):
            with self.subTest(shell=shell.__name__):
                self.assertEqual(sorted(set(shell("skan pu"))), ["purge"])
                self.assertEqual(sorted(set(shell("skan model "))),
                                 ["check", "decode", "export", "import", "new", "table", "try"])
                self.assertEqual(
                    sorted(set(shell("skan serve --refused-"))), ["--refused-bytes-in-all", "--refused-days"])
                self.assertEqual(sorted(set(shell("skan serve --log "))), ["errors", "nothing", "requests"])
                self.assertIn("players.db", shell("skan model check pl"))

    def test_completion_offers_every_option(self):
        for shell in (self.bash, self.fish):
            for page in pages():
                expected = sorted(f"--{name}" for name, _ in options(page))
                self.assertEqual(sorted(set(shell(f"skan {' '.join(page)} --"))), expected)
        found = sorted(set(self.zsh("skan serve --")))
        self.assertEqual(found, sorted(f"--{name}" for name, _ in options(["serve"])))

    def test_completion_of_a_value_behind_an_equals_sign(self):
        self.assertEqual(sorted(self.bash("skan serve --log=e")), ["errors"])
        self.assertEqual(self.fish("skan serve --log=e"), ["--log=errors"])
