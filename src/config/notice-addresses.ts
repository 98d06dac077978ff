import type { NoticeReceiver } from "../domain/settings/notices-section.ts";
import type { Variables } from "./environment.ts";

/** Where a receiver of notices is, and the key in base64 that they are signed with; null where it checks no signature. */
export interface NoticeAddress {
  readonly url: string;
  readonly secret: string | null;
}

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];
/** Bytes of a key, as Standard Webhooks limits them. */
const KEY_BYTES = { least: 24, most: 64 } as const;

/** Combines `notices` with their addresses and keys from the environment, which no fault quotes. */
export function readNoticeAddresses(
  receivers: Readonly<Record<string, NoticeReceiver>>,
  variables: Variables,
): { readonly addresses: ReadonlyMap<string, NoticeAddress>; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const addresses = new Map<string, NoticeAddress>();
  for (const [name, { urlEnv, secretEnv }] of Object.entries(receivers)) {
    const url = variables[urlEnv];
    faults.push(...noticeAddressFaults(`notices.${name}.url_env`, urlEnv, url));
    const key = secretEnv === undefined ? undefined : variables[secretEnv];
    if (secretEnv !== undefined) faults.push(...keyFaults(`notices.${name}.secret_env`, secretEnv, key));
    addresses.set(name, { url: url ?? "", secret: key === undefined ? null : base64Of(key) });
  }
  return { addresses, faults };
}

/** Returns the fault of the variable `name` as the address of a receiver; `key` is the path that names it. */
function noticeAddressFaults(key: string, name: string, url: string | undefined): readonly string[] {
  const variable = `${key}: the environment variable ${name}`;
  if (url === undefined)
    return [`${variable} is not set; set it to the address to which notices are posted.`];
  if (!URL.canParse(url))
    return [`${variable} holds no address; set it to one such as https://hooks.example.com/….`];
  const { protocol, hostname, username, password } = new URL(url);
  // No request can be made to such an address.
  if (`${username}${password}` !== "")
    return [`${variable} holds an address with a user name or password; take them out.`];
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname))
    ? []
    : [`${variable} holds an address without https; notices would be sent unencrypted.`];
}

function keyFaults(key: string, name: string, secret: string | undefined): readonly string[] {
  const variable = `${key}: the environment variable ${name}`;
  const make = 'make one with: echo "whsec_$(openssl rand -base64 32)"';
  if (secret === undefined) return [`${variable} is not set; ${make}`];
  const { length } = Buffer.from(base64Of(secret), "base64");
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && length >= KEY_BYTES.least && length <= KEY_BYTES.most
    ? []
    : [`${variable} holds no key of ${KEY_BYTES.least} to ${KEY_BYTES.most} bytes; ${make}`];
}

function base64Of(secret: string): string {
  return secret.replace(/^whsec_/, "");
}
