/** Tokens of a line: what quotes, brackets, emphasis, shells, lists and marks that are not ASCII part, and names of users. */
const PARTED = /(?:[\s`"'()<>{}[\],;|&=*~\\@]|[^\p{ASCII}\p{L}\p{M}\p{N}\u3002\uFF0E\uFF61])+/u;
/** A scheme may be written without its slashes, and an address without its scheme. */
const BEFORE_HOST = /^(?:[a-z][\w+.-]*:|(?=\/\/))\/*(?=.)/i;
const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?`;
/** Browsers take the other full stops for dots. */
const DOT = "[.\u3002\uFF0E\uFF61]";
const HOST = new RegExp(String.raw`^(?:${LABEL}${DOT})+(?:\p{L}{2,}|xn--[\w-]+)$`, "iu");
/** Ends of names that are neither ends of files nor members of objects. */
const ENDS =
  /\.(?:com|org|edu|gov|mil|example|onion|xyz|online|site|website|club|top|icu|cloud|tech|ru|cn|de|uk|eu|fr|nl|pl|jp|br|ir|kp)$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Nobody else is there. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0)$/;
const IPV6 = /^\[?(?=[^\]]*\d)(?=[^\]]*::)[\da-f:.]{4,}\]?|^\[?(?:[\da-f]{1,4}:){7}[\da-f]{1,4}\]?/i;
const FETCHES =
  /(?<![\w.-])(?:curl|wget|aria2c|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|ftp|rsync|lynx|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|git\s+(?:clone|fetch|pull)|docker\s+(?:pull|run))\s+([^`|;&]+)/gi;

/**
 * Returns what in the line names a host, with or without a scheme; null where nothing does. Paths of files and names of
 * packages are none, unless they are written like a host with a path: `evil.sh/x` may be either.
 */
export function addressIn(line: string): string | null {
  if (/:\/\/|\bwww\./i.test(line)) return line;
  const fetched = [...line.matchAll(FETCHES)].flatMap(([, rest = ""]) => tokens(rest));
  return tokens(line).find(isAddress) ?? fetched.find(isFetched) ?? null;
}

const tokens = (line: string): readonly string[] =>
  line
    .split(PARTED)
    .map((one) => one.replace(/[.:!?_\u3002\uFF0E\uFF61]+$/, ""))
    .flatMap((one) => [one, one.replace(BEFORE_HOST, "")])
    .filter((one) => one !== "");

function isAddress(token: string): boolean {
  const host = hostOf(token);
  if (IPV4.test(host)) return !LOOPBACK.test(host);
  if (IPV6.test(token)) return true;
  if (!HOST.test(host)) return false;
  return (
    ENDS.test(host) ||
    /[^\u0020-\u007e]|\bxn--/i.test(host) ||
    /^[/?#]./.test(token.slice(host.length)) ||
    hasPortAndPath(token)
  );
}

/** A program that fetches takes any name with a dot for a host, and a bare number too. */
const isFetched = (token: string): boolean =>
  isAddress(token) ||
  (HOST.test(hostOf(token)) && !token.startsWith("./")) ||
  /^(?:\d{8,10}|0x[\da-f]+)(?:[:/]|$)/i.test(token);

const hasPortAndPath = (token: string): boolean => /^[^/:]+:\d+\//.test(token);

const hostOf = (token: string): string => token.replace(/[/:?#][\s\S]*$/, "");
