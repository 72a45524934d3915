"""README's quick start in Python, with an endpoint that answers it and an app that takes what it is given."""

# README: imports

sent = []
send_to_app = sent.append


def get(url):
    assert url.startswith("https://skan.example.com/api/v2/conversion_value?a="), url
    assert "&v=17.2&i=com.example.game&n=purchase&p=iOS&idfv=" in url, url
    assert "&skan_total_revenue_by_currency=%7B%22USD%22%3A4.99%7D&" in url, url
    return b'{"conversion_value": 12, "skan_updated_coarse_value": 1}'


# README: code

assert [(update.fine_value, update.coarse_value) for update in sent] == [(12, 1)], sent
assert not engine.pending_update("player-1")
assert query.startswith("skan_current_conversion_value=12&"), query
