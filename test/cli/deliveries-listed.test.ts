import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deliveries } from "../../src/cli/commands/deliveries.ts";
import { OWN_ACT } from "../../src/webhooks/events/own-act.ts";
import { delivery } from "../adapters/store/samples.ts";
import { fileStore } from "../factories/file-store.ts";
import { CLAIM, OURS } from "../factories/leases.ts";

const SOME = ["by-mona", "own-1", "own-2", "by-octocat", "own-3"];

test("lists what others did, and with --own what Flotilla did itself, the newest first", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "deliveries-"));
  const store = await fileStore(join(dataDir, "flotilla.db"));
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  for (const [index, guid] of SOME.entries())
    await store.deliveries.insert([delivery({ guid, lane: guid, receivedAt: index })]);
  await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 8 });
  for (const guid of SOME) {
    const note = guid.startsWith("own") ? `${OWN_ACT} label` : null;
    await store.deliveries.settle(guid, OURS.token, note === null ? "done" : "ignored", note, 1);
  }
  async function listed(options: Record<string, string | boolean>) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const env = { FLOTILLA_DATA_DIR: dataDir };
    await deliveries.run({ env, cwd: "/", print, complain: print, options, args: ["list"] });
    return lines.map((line) => line.split(/ {2,}/)[1]);
  }
  expect(await listed({})).toEqual(["by-octocat", "by-mona"]);
  expect(await listed({ limit: "1" })).toEqual(["by-octocat"]);
  expect(await listed({ limit: "2" })).toEqual(["by-octocat", "by-mona"]);
  expect(await listed({ own: true })).toEqual(SOME.toReversed());
});
