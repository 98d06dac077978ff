import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { AppSettings } from "../../domain/ports/github-app.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

const LEVELS = ["read", "write", "admin"];
const HOOK_PATH = "/api/github/webhooks";
const SETTINGS = "Change it in the App's settings on GitHub";

const manifest = z.object({
  default_events: z.array(z.string()),
  default_permissions: z.record(z.string(), z.string()),
});
type Manifest = z.infer<typeof manifest>;

/** The App's required settings: app.yml, from which `flotilla init` creates it. */
export function readManifest(): Manifest {
  return manifest.parse(parse(readFileSync(bundledFile("../../../app.yml", import.meta.url), "utf8")));
}

/** Checks whether GitHub accepts the App, and whether the App is set up as app.yml says. */
export const checkApp: Check = async ({ app }) => {
  const known = await app;
  return "fault" in known ? [known.fault] : appDifferences(known.settings, readManifest());
};

/** Returns what the App on GitHub lacks compared with app.yml, and the faults of its webhook. */
export function appDifferences(app: AppSettings, wanted: Manifest): readonly Finding[] {
  const lacks = lacking(app, wanted).map((what) => ({ about: "the App", what, next: SETTINGS }));
  const installed = app.installations.flatMap(({ account, suspended, ...has }) => {
    const about = `the installation on ${account}`;
    const accept = `Its owner accepts the App's permissions on the page of the installation`;
    const resume = "Unsuspend it on the page of the installation, or uninstall the App there";
    if (suspended) return [{ about, what: "is suspended: nothing is done there", next: resume }];
    // People cannot yet accept a permission that the App itself lacks.
    return lacking(has, { default_events: [], default_permissions: granted(app, wanted) }).map((what) => ({
      about,
      what,
      next: accept,
    }));
  });
  const nowhere =
    app.installations.length > 0
      ? []
      : [
          {
            about: "the App",
            what: "is installed nowhere",
            next: "Install it on the repositories that it is for",
          },
        ];
  return [...lacks, ...nowhere, ...installed, ...webhookFaults(app.hook)];
}

function lacking(has: Pick<AppSettings, "permissions" | "events">, wanted: Manifest): string[] {
  const permissions = Object.entries(wanted.default_permissions).flatMap(([name, level]) => {
    const given = has.permissions[name];
    if (LEVELS.indexOf(given ?? "") >= LEVELS.indexOf(level)) return [];
    return [`has the permission ${name}: ${given ?? "none"}, and needs ${level}`];
  });
  const events = wanted.default_events.filter((event) => !has.events.includes(event));
  return [...permissions, ...(events.length === 0 ? [] : [`is not told of the events ${events.join(", ")}`])];
}

function granted(app: AppSettings, { default_permissions: wanted }: Manifest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, level]) => {
      return LEVELS.indexOf(app.permissions[name] ?? "") >= LEVELS.indexOf(level);
    }),
  );
}

function webhookFaults(hook: AppSettings["hook"]): readonly Finding[] {
  const about = "the App's webhook";
  const faults: [boolean, string][] = [
    [hook.url === "", "has no address, so nothing is told"],
    [
      hook.url !== "" && !hook.url.endsWith(HOOK_PATH),
      `goes to ${hook.url}, which does not end in ${HOOK_PATH}`,
    ],
    [!hook.hasSecret, "has no secret: every delivery will be refused"],
    [hook.contentType !== "json", "sends forms; its content type must be application/json"],
    [!hook.verifiesTls, "does not check certificates: anybody on the way could read deliveries"],
  ];
  return faults.flatMap(([wrong, what]) => (wrong ? [{ about, what, next: SETTINGS }] : []));
}
