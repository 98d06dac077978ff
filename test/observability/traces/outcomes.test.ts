import { SpanKind } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { agentOf } from "../../engine/look.ts";
import { labeled } from "../../engine/people.ts";
import { call, edit, on, slowly, work } from "../../engine/scripts.ts";
import type { Taken } from "./taken.ts";
import { aTracedRig } from "./traced-rig.ts";

/** How each span of that name came out. */
const outcomes = (taken: readonly Taken[], name: string) =>
  taken
    .filter((span) => span.name === name)
    .map(({ failed, attributes }) => [attributes["flotilla.outcome"], failed]);

it("marks an exchange as failed where the model refused it, with why and the status, and no other", async () => {
  const refuses = { error: { status: 401, message: "bad key", headers: {} } };
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, ...work), on(2, refuses)] });
  for (const issue of [1, 2]) {
    await deliver(labeled(rig, issue));
    await rig.idle();
  }
  expect(outcomes(taken, "exchange").slice(0, 2)).toEqual([
    ["idle", false],
    ["model_error", true],
  ]);
  const refused = taken.find(({ name, failed }) => name === "exchange" && failed);
  expect(refused?.attributes).toMatchObject({
    "flotilla.reason": "authentication",
    "http.response.status_code": 401,
  });
  const idle = taken.find(({ name, failed }) => name === "exchange" && !failed);
  expect(Object.keys(idle?.attributes ?? {})).not.toContain("http.response.status_code");
});

it("marks an exchange as failed whose process died", async () => {
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, slowly(60_000, edit()))] });
  await deliver(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.runtime.kill((await agentOf(rig)).sessionId ?? "");
  await rig.until("it has ended", () => outcomes(taken, "exchange").length === 1);
  expect(outcomes(taken, "exchange")).toEqual([["runtime_died", true]]);
});

it("marks a tool as failed that answered with an error, and none that did not", async () => {
  const script = [on(1, call("read_issue", { number: 99 }), ...work)];
  const { rig, taken, deliver } = await aTracedRig({ script });
  await deliver(labeled(rig, 1));
  await rig.idle();
  expect(outcomes(taken, "tool read_issue")).toEqual([["failure", true]]);
  expect(outcomes(taken, "tool commit")).toEqual([["success", false]]);
});

it("is of the server's kind for a webhook, with its action and repository", async () => {
  const { rig, taken, deliver } = await aTracedRig({});
  await deliver(labeled(rig, 1));
  await rig.idle();
  const [webhook] = taken.filter(({ name }) => name === "webhook issues.labeled");
  expect(webhook).toMatchObject({
    kind: SpanKind.SERVER,
    attributes: { "flotilla.event": "issues", "flotilla.action": "labeled", "flotilla.repository": 7 },
  });
  const kinds = new Set(taken.filter(({ name }) => name.startsWith("effect")).map(({ kind }) => kind));
  expect(kinds).toEqual(new Set([SpanKind.INTERNAL]));
});
