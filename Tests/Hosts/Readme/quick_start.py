"""README's quick start in Python, with the standard library's HTTP client and an app that takes what it is given."""

import urllib.request
from json import loads

# README: imports

sent = []
send_to_app = sent.append


def id_from_app():
    """The app made the calls that it was sent."""
    return loads(sent[-1])["calls"][0]["id"]



def get(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


# README: code

calls = [call for each in sent for call in loads(each)["calls"]]
assert {(call["fine_value"], call["coarse_value"]) for call in calls} == {(16, 1)}, sent
assert not engine.pending_calls("player-1")
assert query.startswith("skan_current_conversion_value=16&"), query
