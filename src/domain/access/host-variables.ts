/** Variables that name certificates, which are public; the sandbox shows the files. pip and cargo read only their own. */
export const CERTIFICATE_VARIABLES = [
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "PIP_CERT",
  "CARGO_HTTP_CAINFO",
];

/** All others stay hidden: they may hold keys, tokens, or proxies with passwords. */
const PASSED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", ...CERTIFICATE_VARIABLES];

/**
 * Returns the host's variables that agents, setup commands and acceptance commands may see. An empty one counts as not
 * set; there is always a PATH.
 */
export function passedVariables(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const given = PASSED.flatMap((name) => {
    const value = hostEnv[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return { PATH: "/usr/local/bin:/usr/bin:/bin", ...Object.fromEntries(given) };
}
