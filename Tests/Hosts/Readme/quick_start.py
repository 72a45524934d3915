"""README's quick start in Python, with the standard library's HTTP client and an app that takes what it is given."""

import urllib.request

# README: imports

sent = []
send_to_app = sent.append


def get(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


# README: code

assert [(update.id, update.fine_value, update.coarse_value) for update in sent] == [(2, 16, 1)], sent
assert not engine.pending_update("player-1")
assert query.startswith("skan_current_conversion_value=16&"), query
