"""How much of clients' addresses the log tells."""

from server_tools import ServeCase


class Addresses(ServeCase):
    def told(self, *options, address="192.0.2.77"):
        server = self.serve("--trusted-proxy", "127.0.0.1", *options)
        server.get("/healthz", headers=[f"X-Forwarded-For: {address}"])
        server.stop()
        return [line.get("client") for line in server.log() if line.get("route") == "healthz"][-1]

    def test_nothing_unless_said(self):
        self.assertIsNone(self.told())
        self.assertIsNone(self.told("--log-address", "none"))

    def test_whole_or_the_network(self):
        self.assertEqual(self.told("--log-address", "full"), "192.0.2.77")
        self.assertEqual(self.told("--log-address", "net"), "192.0.2.0/24")
        six = "2001:db8:1:2:3:4:5:6"
        self.assertEqual(self.told("--log-address", "full", address=six), six)
        self.assertEqual(self.told("--log-address", "net", address=six), "2001:db8:1:2::/64")
        self.assertEqual(self.told("--log-address", "full", address="nonsense"), "127.0.0.1")
