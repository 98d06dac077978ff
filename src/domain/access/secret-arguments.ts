import { REDACTED } from "./secret-set.ts";

/** A name whose value is a secret: of an argument, a variable, a header or a key of JSON. */
const SECRET =
  /secret|passw(?:or)?d|passphrase|token(?!s)|(?:api|access|private|encryption|signing)[-_.]?key|credential|authori[sz]ation|cookie|bearer|(?:^|[-_.])(?:pass|pwd|pw|auth|pat|key)$/i;
/** It says where a secret is, how much there is, or what anybody may know. */
const NO_SECRET =
  /(?:^|[-_.])(?:file|path|dir|env|name|stdin|url|uri|host|type|mode|ttl|length)$|public|^no[-_]/i;

const isSecret = (name: string): boolean => SECRET.test(name) && !NO_SECRET.test(name);

/** Programs that are given a password after these flags, whatever it looks like. */
const PASSWORD_FLAGS: readonly { readonly program: RegExp; readonly flag: RegExp }[] = [
  { program: /^(?:mysql|mariadb|mongo|sshpass)/, flag: /^-p/ },
  { program: /^(?:redis-cli|valkey-cli)$/, flag: /^-a/ },
  { program: /^ldap/, flag: /^-w/ },
  { program: /^(?:zip|unzip)$/, flag: /^-P/ },
  { program: /^(?:7z\w?|unrar|rar)$/, flag: /^-h?p/ },
];
/** Programs whose `-p` is something else; a number, such as a port, is none either. */
const OTHER_P =
  /^(?:mkdir|cp|install|cargo|tsc|vue-tsc|psql|pg_\w+|createdb|ssh|tar|git|perl|python3?|node|nx|compose|poetry|prettier|docker-compose|rg|grep|ps|read|type|command|export|time|playwright|pytest|make)$/;
const NUMBERS = /^[\d:.]+$/;
const USER_FLAG = /^(?:-u|-U|--(?:proxy-)?user)$/;
/** `-u` with user and password in one word, or with `=`. */
const USER_GLUED = /^(?:-u|--(?:proxy-)?user=)[^:/]+:(?!\d+$)(?=.)/;
/** The shell puts a variable there: its name is no secret. */
const REFERENCE = /^["']?\$(?:\w+|\{\w+\})["']?$/;

/** Words with their quoted pieces, operators between commands, and anything else one character at a time. */
const TOKEN = /[;&|()\n]+|(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\;&|()])+|[\s\S]/g;
const OPERATOR = /^[;&|()\n]/;

type Next = "secret" | "maybe" | "user" | "rest" | null;

/**
 * Returns a command line without the values that are secrets by their names or places: `--token=…`, `-p …`,
 * `TOKEN=…`, `Authorization: …`, `user:…@`. Runs no shell; also reads lines within quotes. A secret that nothing names is
 * not seen. Applying it twice gives the same result.
 */
export function withoutSecretArguments(line: string): string {
  let program: string | null = null;
  let next: Next = null;
  const maskWord = (word: string): string => {
    // A line that goes on in the next one, as commands of several lines do.
    if (/^(?:\s|\\\r?\n)+$/.test(word)) return word;
    if (OPERATOR.test(word)) {
      program = null;
      next = next === "rest" ? next : null;
      return word;
    }
    if (next === "rest") return REDACTED;
    const expected = next;
    next = null;
    const bare = unquoted(word);
    if (expected !== null && isValue(expected, bare))
      return expected === "user" ? withoutUser(word) : hide(word);
    if (program === null && !/^\w+=/.test(bare)) program = bare.slice(bare.lastIndexOf("/") + 1);
    const header = /^([\w-]+):/.exec(word);
    if (header !== null && isSecret(header[1] ?? "")) {
      next = "rest";
      return word === header[0] ? word : `${header[0]}${REDACTED}`;
    }
    next = expectedAfter(bare, program);
    return gluedPassword(bare, program) ?? ofWord(word);
  };
  return (line.match(TOKEN) ?? []).map(maskWord).join("");
}

function ofWord(word: string): string {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(word);
  if (quoted !== null) {
    const [, quote = "", text = ""] = quoted;
    return `${quote}${withoutPasswords(withoutSecretArguments(text))}${quote}`;
  }
  const named = /^(-{0,2}([A-Za-z_][\w.-]*)(?::=|=))([\s\S]+)$/.exec(word);
  if (USER_GLUED.test(word)) return withoutUser(word);
  if (named === null) return withoutPasswords(word);
  const [, before = "", name = "", value = ""] = named;
  return before + (isSecret(name) ? hide(value) : withoutSecretArguments(value));
}

/** Takes out of each address its user name, its password and its query. */
export const withoutSecretsOfAddresses = (text: string): string =>
  text.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi, (address) =>
    address.replace(/(:\/\/)[^/]*@/, "$1…@").replace(/[?#].*?(,?)$/, "?…$1"),
  );

const hide = (value: string): string => (REFERENCE.test(value) ? value : REDACTED);

const withoutUser = (word: string): string => word.replace(/^([^:]*:)[\s\S]+?(["']?)$/, `$1${REDACTED}$2`);

const INNER = /([A-Za-z_][\w.-]*)(\+?=|:[=-])(["']?)([^\s&"'}]+)/g;

/** `user:password@host`, a name with its value inside a word, such as `?token=…`, and a member of JSON. */
const withoutPasswords = (text: string): string =>
  text
    .replaceAll(/(?<![\w/])([\w.+-]+:)(?!\[redacted\])[^\s:@/"']+(?=@)/g, `$1${REDACTED}`)
    .replaceAll(INNER, (whole: string, name: string, equals: string, quote: string, value: string) =>
      isSecret(name) ? `${name}${equals}${quote}${hide(value)}` : whole,
    )
    .replaceAll(/(["']?)([\w-]+)\1(\s*:\s*)(["'])([^"']+)\4/g, (whole: string, ...parts: string[]) => {
      const [quote = "", name = "", colon = "", other = ""] = parts;
      return isSecret(name) ? `${quote}${name}${quote}${colon}${other}${REDACTED}${other}` : whole;
    });

const isValue = (expected: Next, bare: string): boolean =>
  !bare.startsWith("-") && !(expected === "maybe" && NUMBERS.test(bare));

function expectedAfter(flag: string, program: string | null): Next {
  if (USER_FLAG.test(flag)) return "user";
  const long = /^--?([A-Za-z][\w.-]+)$/.exec(flag)?.[1];
  if (long !== undefined && isSecret(long)) return "secret";
  if (!/^-[A-Za-z]$/.test(flag)) return null;
  if (ofPassword(flag, program)) return "secret";
  return flag === "-p" && !OTHER_P.test(program ?? "") ? "maybe" : null;
}

/** Returns a flag that has its password right after it, masked; null for any other word. */
function gluedPassword(word: string, program: string | null): string | null {
  const found = PASSWORD_FLAGS.find((one) => one.program.test(program ?? "") && one.flag.test(word));
  const flag = found?.flag.exec(word)?.[0];
  return flag === undefined || flag === word ? null : `${flag}${REDACTED}`;
}

const ofPassword = (flag: string, program: string | null): boolean =>
  PASSWORD_FLAGS.some((one) => one.program.test(program ?? "") && one.flag.test(flag));

const unquoted = (word: string): string => word.replaceAll(/^["']|["']$/g, "");
