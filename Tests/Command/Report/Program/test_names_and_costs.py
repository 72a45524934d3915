"""Names of networks and campaigns stand before their ids; costs in several currencies become one."""

import csv
import io

from received import AT, MODEL, PLAN, ReportCase

NAMES = (
    "network,network_name,identifier,campaign,ad_set,cost,currency\n"
    "one.example,One Ads,39,Autumn,,10,EUR\n"
    "one.example,,5239,Autumn,Video,20.50,USD\n"
    "one.example,One Ads,40,Winter,,1000,JPY\n"
    "two.example,Two & Co,11,Taps,,,\n"
    "unseen.example,Nobody,77,Spring,,8000,USD\n"
)
RATES = {"EUR": "1.1", "JPY": "0.0065"}


class Named(ReportCase):
    def setUp(self):
        super().setUp()
        model = self.write("model.json", dict(MODEL, rates=RATES))
        self.url = self.received(PLAN, (0, model))
        self.options = [f"--model={model}", f"--campaigns={self.write('names.csv', NAMES)}", AT]

    def test_names_stand_before_ids(self):
        text = self.report(self.url, "--by=ad-set", *self.options).out
        for title in [
            "\nOne Ads (one.example) ",
            "\n  Autumn (39) ",
            "\n    Video (5239) ",
            "\nTwo & Co (two.example) ",
        ]:
            self.assertIn(title, text)
        page = self.report(self.url, "--html", *self.options).out
        for name, *others in [("One Ads", "one.example"), ("Two &amp; Co", "two.example"), ("Video", "5239"),
                              ("Autumn", "39", "One Ads")]:
            small = " · ".join(f'<bdi class="id">{each}</bdi>' for each in others)
            self.assertIn(f"<bdi>{name}</bdi> <small>{small}</small>", page)
        networks = self.document(self.url, *self.options)["total"]["networks"]
        self.assertEqual([each["network_name"] for each in networks], ["One Ads", "Two & Co", "Nobody"])
        rows = csv.DictReader(io.StringIO(self.report(self.url, "--csv", *self.options).out))
        self.assertEqual({row["network_name"] for row in rows}, {"", "One Ads", "Two & Co", "Nobody"})

    def test_a_name_too_long_for_a_line_ends_in_an_ellipsis_before_its_id(self):
        names = self.write("long.csv", f"network,identifier,campaign\none.example,39,{'ä' * 400}\n")
        page = self.report(self.url, "--html", f"--campaigns={names}", AT).out
        self.assertIn(f"<bdi>{'ä' * 120}\u2026</bdi> <small><bdi class=\"id\">39</bdi>", page)

    def test_campaigns_that_match_no_postback_are_named(self):
        table = self.report(self.url, *self.options).out
        self.assertIn("\ncampaigns of the file that no counted postback is of\n  Spring (77), Nobody\n", table)
        page = self.report(self.url, "--html", *self.options).out
        self.assertIn("no counted postback is of: 1\n<ul>\n<li><bdi>Spring (77), Nobody</bdi></li>", page)
        for form in [[], ["--html"]]:
            self.assertNotIn("no counted postback is of", self.report(self.url, AT, *form).out)
        many = "".join(f"n,{number},\n" for number in range(50, 75))
        names = self.write("many.csv", f"network,identifier,campaign\n{many}")
        table = self.report(self.url, f"--campaigns={names}").out
        self.assertIn("\n  69, n\n  and 5 more\n", table)

    def test_figures_that_people_read_have_commas_and_percents(self):
        table, page = (self.report(self.url, *form, *self.options).out for form in ([], ["--html"]))
        for text in (table, page):
            self.assertIn("8,000.00", text)
            self.assertIn("60.3%", text)
        for form in ("--json", "--csv"):
            text = self.report(self.url, form, *self.options).out
            self.assertNotIn("8,000", text)
            self.assertIn("8000.00", text)

    def test_costs_are_converted_by_the_rates_of_the_model(self):
        document = self.document(self.url, *self.options)
        autumn, winter = document["total"]["networks"][0]["campaigns"]
        self.assertEqual((autumn["cost"], winter["cost"]), ("31.50", "6.50"))
        # 19 / 31.50 and 59.8333... / 31.50
        self.assertEqual(autumn["return_on_ad_spend"], {"min": 0.6032, "extrapolated": 1.8995})
        self.assertEqual(
            [(each["currency"], each["rate"], each["model"]) for each in document["cost_rates"]],
            [("EUR", "1.1", "model"), ("JPY", "0.0065", "model")],
        )
        said = 'Costs in EUR were converted to USD at 1.1, the rate of model "model" (version '
        self.assertIn(f"\n{said}", self.report(self.url, *self.options).out)
        self.assertIn(f"<p>{said.replace(chr(34), '&quot;')}", self.report(self.url, "--html", *self.options).out)

    def test_a_currency_without_a_rate_is_named_with_its_line_and_what_would_help(self):
        plain = self.write("plain.json", MODEL)
        answer = self.report(self.url, f"--model={plain}", self.options[1], code=1)
        self.assertEqual(answer.out, "")
        self.assertRegex(
            answer.err,
            r"^skan: \S+/names\.csv: line 2: there is no rate to convert the cost from EUR to"
            r" USD: .*whose \"rates\" have EUR\n$",
        )
        answer = self.report(self.url, self.options[1], code=1)
        self.assertRegex(answer.err, r"names\.csv: line 3: expected a cost in EUR as in line 2, got USD; give --model")
