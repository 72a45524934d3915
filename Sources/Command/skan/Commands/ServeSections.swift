import SKANCore

extension HelpSection {
    static var serveExamples: HelpSection {
        HelpSection(
            title: "Examples",
            text: """
                Try a model on this machine, with users in memory:
                  skan serve --model share/skan/models/mixed.json
                  curl http://127.0.0.1:8080/healthz

                Serve one app behind a proxy on the same machine, and receive its postbacks:
                  skan serve --model model.json --key env:SKAN_KEY \\
                      --trusted-proxy 127.0.0.1 --store sqlite:users.db \\
                      --postbacks sqlite:postbacks.db --app-id 525463029

                See what is wrong with a configuration, then have a server read it again:
                  skan serve --options /etc/skan/serve.conf --check &&
                      systemctl kill --signal HUP --kill-who main skan-serve

                Listen on a Unix socket that a proxy of the group www-data may use:
                  skan serve --listen unix:/run/skan/serve.sock --socket-mode 660 \\
                      --trusted-proxy unix: --key file:/etc/skan/key --model model.json
                """)
    }

    static var serveFiles: HelpSection {
        HelpSection(
            title: "Files",
            text: "share/skan has files to begin with; they name these places.",
            list: [
                HelpEntry(label: "/etc/skan/serve.conf", text: "The options, one on each line (--options)."),
                HelpEntry(label: "/etc/skan/serve.env", text: "Keys and tokens, as variables of the environment."),
                HelpEntry(label: "/etc/skan/model.json", text: "The conversion model."),
                HelpEntry(label: "/etc/skan/networks.json", text: "The networks and partners, if there are any."),
                HelpEntry(label: "/var/lib/skan", text: "The stores in SQLite files."),
                HelpEntry(
                    label: "skan-serve.service",
                    text: "A unit of systemd; skan-serve.socket keeps its port open during restarts."),
                HelpEntry(label: "skan-serve@.service", text: "A unit for several instances on one machine."),
                HelpEntry(label: "nginx.conf", text: "A site of nginx with TLS, before one or two instances."),
            ])
    }

    static var serveEnvironment: HelpSection {
        HelpSection(
            title: "Environment",
            list: [
                HelpEntry(label: "NAME", text: "The value of an option that is given as env:NAME."),
                HelpEntry(
                    label: "LISTEN_FDS, LISTEN_PID",
                    text: """
                        Sockets that a service manager has opened for this process. They take the place of --listen; \
                        those that LISTEN_FDNAMES calls "admin" take the place of --admin.
                        """),
                HelpEntry(
                    label: "NOTIFY_SOCKET",
                    text: """
                        Where the server says that it is ready, reads its configuration again, or is ending, as \
                        sd_notify(3) describes.
                        """),
                HelpEntry(
                    label: "WATCHDOG_USEC",
                    text: """
                        Microseconds within which the server says that it lives, if WATCHDOG_PID is its own or not \
                        set. It does so only while it answers requests.
                        """),
            ])
    }
}
