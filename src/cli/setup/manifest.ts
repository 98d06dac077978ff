import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

const WEBHOOKS = "/api/github/webhooks";
const SIGNED_IN = "/sign-in/github/done";
const written = z.looseObject({ name: z.string(), url: z.string() });

/** The properties of the App that a person can choose; app.yml has the defaults. */
export interface AppChoices {
  /** Unique on GitHub. */
  readonly name: string;
  /** The address at which GitHub reaches this server, without a path; empty if unknown. */
  readonly address: string;
  /** An organization's login; empty for the person's own account. */
  readonly organization: string;
}

/** Returns the defaults of app.yml: the name, and the address unless it is an example. */
export function defaultChoices(): AppChoices {
  const { name, url } = file();
  return { name, address: new URL(url).hostname.endsWith("example.com") ? "" : url, organization: "" };
}

/** Returns why GitHub could not send webhooks to the address; undefined if it could. */
export function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return "Write where GitHub reaches this server, such as https://flotilla.example.com.";
  if (url.pathname !== "/" || url.search !== "") return "Write the address without a path.";
  return undefined;
}

/**
 * Returns the manifest from which GitHub creates the App (GitHub Apps: registering from a manifest): app.yml
 * with the choices.
 */
export function manifestOf({ name, address }: AppChoices, redirectUrl: string): string {
  const { origin } = new URL(address);
  return JSON.stringify({
    ...file(),
    name,
    url: origin,
    hook_attributes: { url: `${origin}${WEBHOOKS}`, active: true },
    redirect_url: redirectUrl,
    // The dashboard's sign-in with GitHub returns to this address.
    callback_urls: [`${origin}${SIGNED_IN}`],
  });
}

function file(): z.infer<typeof written> {
  return written.parse(parse(readFileSync(bundledFile("../../../app.yml", import.meta.url), "utf8")));
}
