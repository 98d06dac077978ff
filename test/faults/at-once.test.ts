import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { CLAIM } from "../factories/leases.ts";
import { PREVIOUS, serveRoute } from "../webhooks/serve-route.ts";

/** The route before a database of its own. */
async function served() {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-at-once-"));
  const store = await openStore({ path: join(directory, "flotilla.db") });
  const route = await serveRoute(store.deliveries);
  onTestFinished(async () => {
    await route.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const post = async (guid: string, secret: string): Promise<number> => {
    const body = JSON.stringify({ action: "opened", repository: { id: 7 } });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": guid,
      "x-hub-signature-256": `sha256=${signature}`,
    };
    return (await fetch(route.url, { method: "POST", headers, body })).status;
  };
  return { store, post };
}

const CURRENT = "a secret of thirty-two bytes at least";

it("takes the same webhook a hundred times at once, and has it once", async () => {
  const { store, post } = await served();
  const guid = "4c3f3f0e-0000-11f0-8000-000000000001";
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(guid, CURRENT)));
  expect(new Set(answers)).toEqual(new Set([202]));
  expect(await store.deliveries.list({}, 10)).toHaveLength(1);
  expect(await store.deliveries.claim({ ...CLAIM, now: 10_000, limit: 10 })).toHaveLength(1);
});

it("takes what is signed with the old and with the new secret, side by side while it is changed", async () => {
  const { store, post } = await served();
  const signed = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? CURRENT : PREVIOUS));
  const answers = await Promise.all(
    signed.map((secret, index) => post(`4c3f3f0e-0000-11f0-8000-0000000000${10 + index}`, secret)),
  );
  expect(new Set(answers)).toEqual(new Set([202]));
  expect(await store.deliveries.list({}, 30)).toHaveLength(20);
});
