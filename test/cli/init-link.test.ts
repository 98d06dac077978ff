import { expect, onTestFinished, test } from "vitest";
import { startSetupServer } from "../../src/cli/setup/setup-server.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";

test("without the printed link nobody gets the form or has a code exchanged", async () => {
  const exchanged: string[] = [];
  const server = await startSetupServer({
    host: "127.0.0.1",
    port: 0,
    hosts: [],
    gitUrl: "https://github.test",
    choices: { name: "a", address: "https://a.test", organization: "" },
    made: async (code) => {
      exchanged.push(code);
      return "https://github.test/apps/a";
    },
    log: createMemoryLog(),
  });
  onTestFinished(() => server.close());
  const { origin, pathname } = new URL(server.url);
  const key = pathname.split("/")[1] ?? "";
  expect(Buffer.from(key, "base64url")).toHaveLength(32);
  const form = await (await fetch(server.url)).text();
  const state = /new\?state=(\w+)/.exec(form)?.[1] ?? "";
  expect(form).toContain(`${pathname}made`);

  const guessed = `${key.startsWith("A") ? "B" : "A"}${key.slice(1)}`;
  const back = `made?state=${state}&code=theirs`;
  for (const path of ["/", `/?key=${key}`, `/${back}`, `/${guessed}/`, `/${guessed}/${back}`, `//${key}/`]) {
    const answer = await fetch(`${origin}${path}`);
    const html = await answer.text();
    expect([path, answer.status]).toEqual([path, 404]);
    expect(html).toContain("Open the link that flotilla init printed.");
    for (const held of ["<form", state, key]) expect(html).not.toContain(held);
  }
  expect(exchanged).toEqual([]);
  expect((await fetch(`${origin}/api/github/webhooks`, { method: "POST" })).status).toBe(202);
  expect((await fetch(new URL(back.replace("theirs", "ours"), server.url))).status).toBe(200);
  expect(exchanged).toEqual(["ours"]);
});
