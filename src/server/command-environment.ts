/** Variables of the host that setup and acceptance commands may see. All others may hold keys or tokens. */
const PASSED = [
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/** Returns the environment of setup and acceptance commands, except their home. */
export function commandEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const given = PASSED.flatMap((name) => {
    const value = hostEnv[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", ...Object.fromEntries(given) };
}
