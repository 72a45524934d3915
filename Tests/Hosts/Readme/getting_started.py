"""The article "Getting started" in Python: a model in process, installs in an SQLite file, and an app that takes an
update."""

# README: imports

sent = []
send_to_app = sent.append

# README: code

assert [(update.id, update.fine_value, update.coarse_value) for update in sent] == [(2, 16, 1)], sent
