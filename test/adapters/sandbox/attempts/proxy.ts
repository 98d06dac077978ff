import { type Attempt, notTried } from "./attempt.ts";

const NO_PROXY = "there is no proxy outside";

const CONNECTS: Readonly<Record<string, string>> = {
  "another host": "evil.example.org:443",
  "another port": "registry.example.org:22",
  "a host below the allowed one": "sub.registry.example.org:443",
  "a host that begins as the allowed one": "registry.example.org.evil.org:443",
  "an address": "93.184.215.14:443",
  "the host's loopback": "127.0.0.1:443",
  "the machine's metadata": "169.254.169.254:443",
  "an address in one number": "2130706433:443",
  "an IPv6 address": "[::1]:443",
  "a name with a dot at its end": "registry.example.org.:443",
  "a name with a user": "registry.example.org@evil.org:443",
  "a name in other letters": "r\u0435gistry.example.org:443",
  "a name in escapes": "registry%2eexample.org:443",
  "an allowed name that leads into a private network": "private.example.org:443",
};

/** Through the sandbox's one way out. `connect` stands in the prelude. */
export const PROXY: readonly Attempt[] = [
  ...Object.entries(CONNECTS).map(([what, target]) => ({
    what: `a tunnel to ${what}`,
    line: `through 'CONNECT ${target} HTTP/1.1\\r\\nHost: registry.example.org\\r\\n\\r\\n'`,
    outside: notTried(NO_PROXY),
  })),
  {
    what: "the debugger of the process that passes connections on",
    line: "kill -USR1 $PPID; for i in 1 2 3 4 5 6 7 8 9 10; do tcp 127.0.0.1 9229 && exit 0; sleep 0.1; done; exit 1",
    outside: notTried("its parent is the test itself there"),
  },
  {
    what: "a request without a tunnel",
    line: "through 'GET http://registry.example.org/ HTTP/1.1\\r\\nHost: registry.example.org\\r\\n\\r\\n'",
    outside: notTried(NO_PROXY),
  },
  {
    what: "a second request behind a refused one",
    line: "through 'CONNECT evil.org:443 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nCONNECT registry.example.org:443 HTTP/1.1\\r\\n\\r\\n'",
    outside: notTried(NO_PROXY),
  },
];

/** What must succeed from inside: else nothing of the above says anything. */
export const ALLOWED_TUNNEL =
  "through 'CONNECT registry.example.org:443 HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n'";
