import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { keepSpent } from "../../../src/adapters/github/client/spent.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import { SILENT, stoppedClock } from "./mocked-github.ts";

/** A strict local GitHub on a clock that stands still, and our adapter beside it, which can be started again. */
export async function strictRig() {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-limits-"));
  const clock = stoppedClock();
  const local: LocalGitHub = await startLocalGitHub({
    directory,
    strict: true,
    now: () => clock.now(),
    people: { octocat: "admin" },
  });
  onTestFinished(async () => {
    await local.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { repository: of } = local.state();
  return {
    clock,
    local,
    ref: { id: of.id, owner: "acme", name: of.name, installationId: local.installation.id },
    spentFile: join(directory, "github-spent"),
    /** As a process that has just begun. */
    start: () =>
      createGitHub({
        appId: local.app.id,
        privateKey: local.app.privateKey,
        baseUrl: local.api,
        markerSecret: "m",
        labels: [],
        minted: () => {},
        spent: keepSpent(join(directory, "github-spent"), clock, SILENT),
        clock,
        log: SILENT,
      }),
  };
}
