"""The example service runs and says what it should."""

import subprocess
import sys
from pathlib import Path

SERVICE = Path(__file__).resolve().parents[3] / "Bindings" / "Python" / "Examples" / "service.py"

SAYS = """\
player-1 launch: OK
player-1 session: OK, fine value 1
player-1 the app gets {"id": 2, "window": 0, "fine_value": 1, "coarse_value": 1, "lock_window": false, "timestamp": \
1700000000}
player-1 the app gets None
player-1 order-1: attempt 1 failed, the database is restarting
player-1 order-1: counted
player-1 purchase: OK, fine value 2
player-1 order-1: counted before
player-1 purchase: DUPLICATE_EVENT
player-1 order-2: counted
player-1 purchase: no answer, the endpoint timed out
player-1 order-2: counted before
player-1 purchase: OK, fine value 3
player-1 level_up: OK, fine value 4
player-1 the app gets {"id": 5, "window": 0, "fine_value": 4, "coarse_value": 1, "lock_window": false, "timestamp": \
1700079200}
player-1 launch: ALREADY_REGISTERED
player-1 session: OK, fine value 5
player-1 the app gets {"id": 6, "window": 1, "fine_value": 5, "coarse_value": 1, "lock_window": false, "timestamp": \
1700424800}
player-1 https://s2s.example.com/launch?n=com.example.game&skan_current_conversion_value=4&prev_fine_value=3\
&skan_first_call_to_skadnetwork_timestamp=1700000000&skan_last_call_to_skadnetwork_timestamp=1700424800\
&skan_total_revenue_by_currency=%7B%22USD%22%3A14.98%7D&skan_total_admon_revenue_by_currency=%7B%22USD%22%3A0.0123%7D\
&p0_coarse=1&p1_coarse=1&p0_prev_coarse_value=1&p0_total_iap_revenue=%7B%22USD%22%3A14.98%7D\
&p0_total_admon_revenue=%7B%22USD%22%3A0.0123%7D
"""


def test_the_service_says_what_it_should() -> None:
    ended = subprocess.run([sys.executable, str(SERVICE)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == SAYS
