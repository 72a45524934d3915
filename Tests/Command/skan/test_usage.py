"""Help, wrong command lines, URLs."""

from tools import CommandCase, skan

COMMANDS = ["show", "export", "import", "move", "check", "purge", "receive"]


class Usage(CommandCase):
    def refused(self, *arguments, saying, **more):
        answer = self.succeeded(skan(*arguments, **more), 2)
        self.assertEqual(answer.out, "")
        self.assertTrue(answer.err.startswith("skan: "), answer)
        self.assertIn(saying, answer.err)
        return answer

    def test_help_names_every_command(self):
        answer = self.succeeded(skan("--help"))
        for command in COMMANDS:
            self.assertRegex(answer.out, rf"\n  skan {command} +\w")
        self.assertEqual(answer.err, "")
        self.assertEqual(skan("-h").out, answer.out)
        for words in [["help"], ["help", "help"], ["help", "--help"]]:
            self.assertEqual(self.succeeded(skan(*words)).out, answer.out)

    def test_help_of_a_command(self):
        for words in [*([each] for each in COMMANDS + ["serve", "report", "outbox", "model"]), ["model", "check"]]:
            self.assertEqual(self.succeeded(skan("help", *words)).out, skan(*words, "--help").out)
        self.assertEqual(skan("model", "help").out, skan("model", "--help").out)
        self.refused("help", "shwo", saying="skan: shwo: no such command")
        self.refused("help", "show", "x", saying="skan: x: one argument too many, expected: skan help [COMMAND]")
        self.refused("help", "model", "chekc", saying="skan: model chekc: no such command")

    def test_every_command_has_help_of_eighty_columns(self):
        for command in COMMANDS:
            answer = self.succeeded(skan(command, "--help"))
            self.assertTrue(answer.out.startswith(f"usage: skan {command} "), answer)
            self.assertIn("STORE is one of", answer.out)
            self.assertLessEqual(max(map(len, answer.lines())), 80)
            self.assertEqual(skan(command, "-h").out, answer.out)

    def test_version(self):
        self.assertRegex(self.succeeded(skan("--version")).out, r"^skan \d+\.\d+\.\d+ \([\w.-]+\)\n$")

    def test_no_command_and_no_such_command(self):
        self.refused(saying="expected a command")
        self.refused("shwo", saying="skan: shwo: no such command, did you mean show?\n")
        self.refused("sreve", saying="skan: sreve: no such command, did you mean serve?\n")
        self.refused("model", "chekc", saying="skan: model chekc: no such command, did you mean model check?\n")
        self.refused("mdoel", saying="skan: mdoel: no such command, did you mean model?\n")
        self.refused("nonsense", saying="skan: nonsense: no such command\n")

    def test_options_that_may_have_been_meant(self):
        self.refused("serve", "--stroe", "x", saying="skan: --stroe: no such option, did you mean --store?\n")
        self.refused("serve", "--store-", "x", saying="skan: --store-: an abbreviation of --store-threads and --store-queue\n")
        self.refused("serve", "--p", "x", saying="skan: --p: an abbreviation of --postbacks, --postback-model, ")
        self.refused("serve", "--nonsense", saying="skan: --nonsense: no such option\n")
        file = self.folder / "serve.conf"
        file.write_text("modle = x\n")
        self.refused("serve", "--options", file, saying=': "modle": no such option, did you mean --model?')

    def test_a_file_without_a_scheme_is_asked_back(self):
        for name in "players.db", "/var/lib/players.db", "./x":
            self.refused("check", name, saying=f", or env:NAME; did you mean sqlite:{name}?\n")
        for name in "env", "", "postgres", "redis:x.db", "u:s3cret@host.db":
            self.assertNotIn("did you mean", self.refused("check", name, saying="no such kind of store").err)

    def test_too_few_and_too_many_arguments(self):
        needed = {"show": 2, "export": 1, "import": 2, "move": 2, "check": 1, "purge": 1}
        for command, count in needed.items():
            days = ["--closed-before", "1"] if command == "purge" else []
            for given in range(count):
                self.refused(command, *days, *["x"] * given, saying=f"expected: skan {command}")
            self.refused(command, *days, *["x"] * count, "extra", saying="skan: extra: one argument too many")

    def test_wrong_options(self):
        for command in COMMANDS:
            self.refused(command, "--colour", saying="skan: --colour: no such option")
            self.refused(command, "-z", saying="skan: -z: no such option")
        self.refused("show", "--json=1", "s", "i", saying="skan: --json: this option takes no value")
        self.refused("purge", "s", "--closed-before", saying="expected a value")
        self.refused("purge", "s", saying="--closed-before DAYS, --unregistered-before DAYS or --refused-before DAYS")

    def test_numbers_out_of_range(self):
        for days in ["", "x", "1x", "-1", "+1", " 1", "36501", "99999999999999999999", "1.5", "0x10"]:
            self.refused("purge", "s", f"--closed-before={days}", saying="a whole number from 0 to 36500")
        for protocol in ["2", "5", "four"]:
            self.refused("import", "s", "f", "--protocol", protocol, saying=f"expected 3 or 4, got \"{protocol}\"")

    def test_urls_that_are_none(self):
        """What else is wrong with one is in StoreURLTests."""
        for url in ["players.db", "", "SQLITE:x", "env", "/tmp/x"]:
            self.refused("check", url, saying="no such kind of store, expected sqlite:FILE, postgresql://..., ")
        self.refused("check", "sqlite::memory:", saying="expected sqlite:FILE, got SQLite's name for an in-memory database")

    def test_a_url_from_the_environment(self):
        self.filled("players.db", 3)
        answer = self.succeeded(skan("check", "env:GAME_STORE", GAME_STORE=self.sqlite("players.db")))
        self.assertEqual(answer.out, "3 records read, 0 damaged, 0 too new\n")
        self.refused("check", "env:GAME_STORE", saying="is not set")
        self.refused("check", "env:GAME_STORE", GAME_STORE="", saying="is not set")
        self.refused("check", "env:GAME_STORE", GAME_STORE="env:OTHER", saying="expected the URL of a store")

    def test_passwords_are_masked(self):
        """How each sort of URL is shown is in MaskedURLTests."""
        url, masked = "x://u:s3cret@host/db?password=s3cret", "x://u:***@host/db?password=***"
        for answer in [self.refused("check", url, saying=f"skan: {masked}: "),
                       self.refused("check", "env:S", S=url, saying=masked)]:
            self.assertNotIn("s3cret", answer.err)

    def test_passwords_are_masked_where_no_url_is_expected(self):
        url, masked = "x://user:s3cret@host/db", "skan: x://user:***@host/db: "
        for words in [["check", "s", url], ["serve", url], ["help", url], ["help", "show", url], [url]]:
            self.assertNotIn("s3cret", self.refused(*words, saying=masked).err)
        self.assertNotIn("s3cret", self.refused("check", f"--{url}", saying="user:***@").err)
        for words in [["check", "--stroe=s3cret"], ["check", "redis:/u:s3cret@host"], ["show", "s", "i", "--json=s3cret"],
                      ["purge", "s", "--closed-before=redis://u:s3cret@host"]]:
            self.assertNotIn("s3cret", self.refused(*words, saying="skan: ").err)
        for words in [["import", "sqlite:s.db", url], ["model", "check", url]]:
            answer = self.succeeded(skan(*words), 1)
            self.assertEqual(answer.err, f"{masked}No such file or directory\n")

    def test_a_file_that_is_not_there_is_not_made(self):
        said = f"skan: {self.sqlite('none.db')}: No such file or directory\n"
        purge = ["purge", "--closed-before=1"]
        for arguments in [["check"], ["export"], purge, [*purge, "--dry-run"]]:
            answer = skan(*arguments, self.sqlite("none.db"))
            self.assertEqual((answer.code, answer.err), (1, said))
        self.assertEqual(skan("show", self.sqlite("none.db"), "a").code, 1)
        self.assertEqual(skan("move", self.sqlite("none.db"), self.sqlite("other.db")).code, 1)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_control_characters_are_escaped(self):
        answer = self.refused("a\x1b[31m\r\x07b\u009b\u202ec", saying="a\\x1B[31m\\x0D\\x07b\\xC2\\x9B\\xE2\\x80\\xAEc")
        self.assertNotIn("\x1b", answer.err)
