"""The article "Getting started" in Python: a model in process, installs in an SQLite file, and an app that takes a list
of calls."""

from json import loads

# README: imports

sent = []
send_to_app = sent.append


def id_from_app():
    """The app made the calls that it was sent."""
    return loads(sent[-1])["calls"][0]["id"]


# README: code

calls = [call for each in sent for call in loads(each)["calls"]]
assert {(call["fine_value"], call["coarse_value"]) for call in calls} == {(16, 1)}, sent
