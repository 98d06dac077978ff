import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { statusComments } from "../look.ts";
import { checked, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const CHECKS = { evidence: { ...someSettings().evidence, requiredChecks: ["build", "lint"] } };

it("names the checks that an agent waits for, its pull request, what it used, and its last ten moves", async () => {
  const rig = await aRig({ settings: CHECKS, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [text = ""] = statusComments(rig);
  const [pull = 0] = rig.repository.pulls.keys();
  expect(text).toContain("waits for the checks: build, lint");
  expect(text).toContain(`| #${pull} |`);
  expect(text).toMatch(/Usage of feat-dev: 4 of 50 turns, 4 of 200 tool calls/);
  expect(text).toMatch(/agent ACTIVE → SLEEPING \(WAIT by flotilla\): checks: build, lint/);
  expect(text).not.toMatch(/^- .* (run|session) /m);
});

it("is not written again while nothing happens, and shows ten moves at the most", async () => {
  const rig = await aRig({ settings: CHECKS, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [before] = statusComments(rig);
  let written = 0;
  rig.onCall = (call) => void (written += call === "github.putComment" ? 1 : 0);
  for (let minute = 0; minute < 14; minute += 1) await rig.pass(MINUTE);
  expect(written).toBe(0);
  expect(statusComments(rig)).toEqual([before]);
  await tell(rig, said(rig, 1, "/flotilla pause"), said(rig, 1, "/flotilla resume"));
  await tell(rig, said(rig, 1, "/flotilla pause"), said(rig, 1, "/flotilla resume"));
  await tell(rig, checked(rig, { build: "green", lint: "green" }));
  expect(written).toBeGreaterThan(0);
  const moves = statusComments(rig)[0]?.match(/^- \d{4}.*$/gm) ?? [];
  expect(moves).toHaveLength(10);
  expect(moves[0]).toContain("READY_FOR_REVIEW");
});
