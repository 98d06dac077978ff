/** Variables of the host that setup and acceptance commands may see; everything else may hold keys or tokens. */
const PASSED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** The environment of setup and acceptance commands, apart from their home. */
export function commandEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const given = PASSED.flatMap((name) => {
    const value = hostEnv[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", ...Object.fromEntries(given) };
}
