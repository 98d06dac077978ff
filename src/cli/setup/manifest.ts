import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

const WEBHOOKS = "/api/github/webhooks";
const SIGNED_IN = "/sign-in/github/done";
const written = z.looseObject({ name: z.string(), url: z.string() });

/** What app.yml says of the App, and a person may say otherwise. */
export interface Wish {
  /** Unique on GitHub. */
  readonly name: string;
  /** Where GitHub reaches this server, without a path; empty when it is not known yet. */
  readonly address: string;
  /** An organization's login; empty for one's own account. */
  readonly organization: string;
}

/** The name of app.yml, and its address where somebody has put one there. */
export function wishOfFile(): Wish {
  const { name, url } = file();
  return { name, address: new URL(url).hostname.endsWith("example.com") ? "" : url, organization: "" };
}

/** Why GitHub could not send webhooks there; undefined when it could. */
export function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return "Write where GitHub reaches this server, such as https://flotilla.example.com.";
  if (url.pathname !== "/" || url.search !== "") return "Write the address without a path.";
  return undefined;
}

/** The manifest that GitHub makes the App from (GitHub Apps: registering from a manifest): app.yml with the wish put in. */
export function manifestOf({ name, address }: Wish, redirectUrl: string): string {
  const { origin } = new URL(address);
  return JSON.stringify({
    ...file(),
    name,
    url: origin,
    hook_attributes: { url: `${origin}${WEBHOOKS}`, active: true },
    redirect_url: redirectUrl,
    // Where people are sent back to who sign in to the dashboard.
    callback_urls: [`${origin}${SIGNED_IN}`],
  });
}

function file(): z.infer<typeof written> {
  return written.parse(parse(readFileSync(bundledFile("../../../app.yml", import.meta.url), "utf8")));
}
