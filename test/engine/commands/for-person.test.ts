import { expect, it, onTestFinished, vi } from "vitest";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { escalate, on } from "../scripts.ts";

it("asks in a person's name for the comments that a command brings, and for no others", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const spy = vi.spyOn(rig.github, "putComment");
  onTestFinished(() => spy.mockRestore());
  const asked = () => spy.mock.calls.map(([, , { key, forPerson }]) => [key, forPerson]);
  await tell(rig, labeled(rig, 1));
  expect(asked().length).toBeGreaterThan(0);
  expect(asked().filter(([, forPerson]) => forPerson !== false)).toEqual([]);
  spy.mockClear();
  await rig.pass(60_000);
  await tell(rig, said(rig, 1, "/flotilla pause"));
  expect(asked()).toContainEqual(["status", true]);
});
