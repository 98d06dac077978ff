import type { Headers } from "./rate-limit.ts";

/** Which permission of the App an address needs, by the part of the path that decides. The first match counts. */
const BY_PATH: readonly { path: RegExp; permission: string }[] = [
  { path: /\/access_tokens$/, permission: "the permissions that app.yml lists" },
  { path: /\/(issues|labels)(\/|\?|$)/, permission: '"Issues: Read and write"' },
  { path: /\/pulls(\/|\?|$)/, permission: '"Pull requests: Read and write"' },
  { path: /\/check-runs(\/|\?|$)/, permission: '"Checks: Read-only"' },
  { path: /\/actions(\/|\?|$)/, permission: '"Actions: Read and write"' },
  { path: /\/status(es)?(\/|\?|$)/, permission: '"Commit statuses: Read-only"' },
  { path: /\/(git|contents|branches)(\/|\?|$)/, permission: '"Contents: Read and write"' },
];

/** What to do about a 403 that is not a rate limit. */
export function permissionAdvice(asked: { path: string }, headers: Headers, text: string): string {
  if (/archived/i.test(text)) return "The repository is archived: unarchive it or uninstall the App from it.";
  if (/locked/i.test(text)) return "The conversation is locked: unlock it to let the App write.";
  if (/suspended/i.test(text)) return "The App's installation is suspended: unsuspend it in its settings.";
  const accepted = headers["x-accepted-github-permissions"];
  const wanted =
    accepted === undefined || accepted === ""
      ? (BY_PATH.find(({ path }) => path.test(asked.path))?.permission ?? '"Metadata: Read-only"')
      : `one of ${String(accepted)}`;
  return `Grant the App ${wanted} (App settings, Permissions), then accept the change in the installation.`;
}
