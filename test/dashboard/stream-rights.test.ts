import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { stepped } from "../factories/run-events.ts";
import { TOKEN } from "./served.ts";
import { StreamRig } from "./stream-rig.ts";

test("a person who may not read a repository is told nothing of it, and stays connected", async () => {
  const rig = new StreamRig();
  await rig.start();
  onTestFinished(() => rig.stop());
  const agent = await rig.agent(1);
  await rig.add(agent, stepped(1));
  const who = { kind: "person", login: "stranger", id: 5 } as const;
  const cookie = new SignInCookies(TOKEN, () => 0, rig.store.signOuts).open(
    who,
    new IncomingMessage(new Socket()),
  );
  const reader = await rig.read("/api/events?after=0", { cookie: cookie.split(";")[0] ?? "" });
  expect(reader.status).toBe(200);
  await rig.until("it beats", () => reader.text().includes(": nothing new"));
  expect(reader.ids()).toEqual([]);
  expect(reader.text()).not.toContain("acme");
});

test("a sign-in that is ended ends its streams at their next heartbeat, and no others", async () => {
  const rig = new StreamRig();
  await rig.start();
  onTestFinished(() => rig.stop());
  const cookies = new SignInCookies(TOKEN, () => 0, rig.store.signOuts);
  const asked = new IncomingMessage(new Socket());
  const [mine = ""] = cookies.open({ kind: "operator" }, asked).split(";");
  const reader = await rig.read("/api/events", { cookie: mine });
  const other = await rig.read("/api/events");
  await rig.until("it beats", () => reader.text().includes(": nothing new"));
  asked.headers.cookie = mine;
  await cookies.close(asked);
  await rig.until("it ends", () => reader.ended());
  expect(other.ended()).toBe(false);
});
