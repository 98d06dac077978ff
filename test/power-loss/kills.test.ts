import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { proved } from "../proved.ts";
import { randomOf } from "../random.ts";
import { isAcknowledged, readSayings, SECRET } from "./cut-power.ts";

const KILLS = 200;
const SENDERS = 4;
const LONGEST_LIFE_MS = 150;

test(`${KILLS} kills at any moment under load lose nothing that was acknowledged`, async () => {
  const database = join(temporaryDirectory(), "flotilla.db");
  const random = randomOf(7);
  const acknowledged = new Set<string>();
  const done: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const script = new URL("./child.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, database, SECRET, "none", `k${kill}-`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    const said = readSayings(child);
    const url = await said.url;
    const send = async (sender: number): Promise<void> => {
      for (let index = 0; ; index += 1) {
        const guid = `${kill}-${sender}-${index}`;
        // Cut off by the kill: nobody said that it was taken.
        const taken = await isAcknowledged(url, guid).catch(() => null);
        if (taken === null) return;
        if (taken) acknowledged.add(guid);
      }
    };
    const sending = Array.from({ length: SENDERS }, (_, sender) => send(sender));
    await pause(random() * LONGEST_LIFE_MS);
    child.kill("SIGKILL");
    await Promise.all([ended, ...sending]);
    done.push(...said.done);
  }
  const store = await openStore({ path: database });
  const stored = new Set((await store.deliveries.list({}, 1_000_000)).map(({ guid }) => guid));
  const ends = new Set((await store.effects.find({ state: "done" })).map(({ key }) => key));
  const violations = await store.checkInvariants(0);
  await store.close();
  const lost = acknowledged.difference(stored).size;
  const undone = done.filter((key) => !ends.has(key)).length;
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  expect({ lost, undone, violations }).toEqual({ lost: 0, undone: 0, violations: [] });
  proved({
    promise: "Kills at any moment under load lose nothing that was acknowledged or said to be done",
    test: "test/power-loss/kills.test.ts",
    figure: `${KILLS} kills, ${acknowledged.size} acknowledged, ${lost} lost, ${done.length} effects done, ${undone} lost`,
  });
}, 600_000);
