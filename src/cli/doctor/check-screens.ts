import { fullName } from "../../domain/kernel/repository.ts";
import { HOST_FUNCTIONS } from "../../server/host-functions.ts";
import { keptSettings } from "../../server/kept-settings.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

/** Finds that pictures of apps are wanted and cannot be taken here. */
export const checkScreens: Check = async ({ config, store }) => {
  const settingsOf = keptSettings(config, await store.repositoryFiles.all());
  const wanting = (await store.repositories.all()).filter(
    ({ id }) => settingsOf(id).evidence.screens !== null,
  );
  const about = [...(config.evidence.screens === null ? [] : ["config.yaml"]), ...wanting.map(fullName)];
  return screensFindings(about, { mode: config.sandbox.mode, browser: HOST_FUNCTIONS.camera.version() });
};

/** `wanting` = who wants pictures: repositories, or the configuration. */
export function screensFindings(
  wanting: readonly string[],
  { mode, browser }: { readonly mode: "bubblewrap" | "none"; readonly browser: string | null },
): readonly Finding[] {
  const [first] = wanting;
  if (first === undefined) return [];
  const about = "evidence.screens";
  const who = wanting.length === 1 ? first : `${first} and ${wanting.length - 1} more`;
  if (mode === "none")
    return [
      {
        about,
        what: `${who} wants pictures of its app, which are taken only in the sandbox, and sandbox.mode is none`,
        next: "Write `sandbox: { mode: bubblewrap }`",
      },
    ];
  if (browser !== null) return [];
  return [
    {
      about,
      what: `${who} wants pictures of its app, and this host has no Chromium`,
      next: "Install the package chromium",
    },
  ];
}
