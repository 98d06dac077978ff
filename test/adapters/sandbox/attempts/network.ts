import { ANYWHERE, type Attempt, notTried, ROOT } from "./attempt.ts";

const INTERNET = "it would ask the internet";

/** At the network and at sockets of the host. `tcp` and `unix` stand in the prelude. */
export const NETWORK: readonly Attempt[] = [
  { what: "a listener on the host's loopback", line: "tcp 127.0.0.1 $PORT", outside: ANYWHERE },
  { what: "the same, by its name", line: "tcp localhost $PORT", outside: ANYWHERE },
  {
    what: "the same, by another number of it",
    line: "tcp 127.8.8.8 $PORT || tcp 0.0.0.0 $PORT",
    outside: ANYWHERE,
  },
  { what: "an abstract socket of the host", line: 'unix "\\0$NAME"', outside: ANYWHERE },
  {
    what: "a socket in the host's directory for temporary files",
    line: 'unix "$ROOT/host.sock"',
    outside: ANYWHERE,
  },
  {
    what: "the socket of Docker",
    line: "[ -S /var/run/docker.sock ] || [ -S /run/docker.sock ]",
    outside: notTried("the host may have none"),
  },
  {
    what: "an interface but its own loopback",
    line: "tail -n +3 /proc/net/dev | grep -qv '^ *lo:'",
    outside: ANYWHERE,
  },
  {
    what: "a route",
    line: "[ $(wc -l < /proc/net/route) -gt 1 ]",
    outside: notTried("a host need not have one"),
  },
  {
    what: "a name looked up",
    line: "perl -e 'exit(gethostbyname(\"example.org\") ? 0 : 1)'",
    outside: notTried(INTERNET),
  },
  { what: "the machine's metadata", line: "tcp 169.254.169.254 80", outside: notTried(INTERNET) },
  { what: "an address of the internet", line: "tcp 1.1.1.1 443", outside: notTried(INTERNET) },
  {
    what: "an IPv6 address of the internet",
    line: "tcp6 2606:4700:4700::1111 443",
    outside: notTried(INTERNET),
  },
  {
    what: "a datagram to the internet",
    line: 'perl -MSocket -e \'socket(S, AF_INET, SOCK_DGRAM, 0); exit(send(S, "x", 0, sockaddr_in(53, inet_aton("8.8.8.8"))) ? 0 : 1)\'',
    outside: notTried(INTERNET),
  },
  {
    what: "a raw socket",
    line: "perl -MSocket -e 'socket(S, AF_INET, SOCK_RAW, 1) or exit 1'",
    outside: ROOT,
  },
  {
    what: "a packet socket",
    line: "perl -MSocket -e 'socket(S, 17, SOCK_RAW, 768) or exit 1'",
    outside: ROOT,
  },
];
