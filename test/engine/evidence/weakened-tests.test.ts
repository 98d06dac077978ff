import { expect, it } from "vitest";
import { agentOf, commentsOn, runOf, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, complete, edit, on, openPr, review } from "../scripts.ts";

const TESTS =
  'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\nit("subtracts", () => {\n  expect(sub(2, 1)).toBe(1);\n});\n';
const ONE = TESTS.slice(0, TESTS.indexOf('it("sub'));
const FILES = { "README.md": "x", "test/math.test.ts": TESTS };
const weaken = edit("test/math.test.ts", ONE);

const rowsOf = async (rig: Rig) => rig.store.evidence.ofAgent((await agentOf(rig)).id);
const bodyOf = async (rig: Rig) => rig.repository.pulls.get((await agentOf(rig)).prNumber ?? 0)?.body ?? "";

it("holds a claim whose change takes a test out, with the list, and completes it after a person's yes", async () => {
  const rig = await aRig({ files: FILES, script: [on(1, weaken, commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect((await runOf(rig))?.state).toBe("waiting_approval");
  const comment = commentsOn(rig).find((one) => one.includes("may weaken the tests"));
  expect(comment).toContain("1 test gone");
  expect(comment).toContain('"test/math.test.ts", line 4: the test "subtracts" is gone');
  const hash = /approve ([0-9a-f]{12})/.exec(comment ?? "")?.[1];
  await tell(rig, said(rig, 1, `/flotilla approve ${hash}`));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)).toHaveLength(1);
  const rows = await rowsOf(rig);
  expect(rows.map(({ kind, holds, missing }) => [kind, holds, missing?.kind])).toEqual([
    ["missing", false, "tests_weakened"],
    ["missing", true, "tests_weakened"],
  ]);
});

it("tells the agent why a person said no, and completes what is put back", async () => {
  const rig = await aRig({
    files: FILES,
    script: [
      on(
        1,
        weaken,
        commit,
        openPr,
        complete,
        after("CI needs it", edit("test/math.test.ts", TESTS)),
        edit(),
        commit,
        complete,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla deny CI needs it"));
  expect(toldTo(rig)[1]).toMatch(
    /A person said no to what your change does to the tests: CI needs it.*"subtracts" is gone/s,
  );
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await rowsOf(rig)).map(({ kind }) => kind)).toEqual(["missing"]);
});

it("asks again where a file with findings changed, and not where another one did", async () => {
  const rig = await aRig({
    files: FILES,
    script: [
      on(
        1,
        weaken,
        commit,
        openPr,
        review,
        after("more", edit("src/other.ts", "export {};")),
        commit,
        review,
        after("again", edit("test/math.test.ts", `${ONE}// And on.\n`)),
        commit,
        review,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
  await tell(rig, said(rig, 1, "@flotilla more"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
  await tell(rig, said(rig, 1, "@flotilla again"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect(commentsOn(rig).filter((one) => one.includes("may weaken the tests"))).toHaveLength(2);
});

it("shows in the pull request what the work does to the tests, and who approved it", async () => {
  const rig = await aRig({ files: FILES, script: [on(1, weaken, commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(await bodyOf(rig)).toContain("- Tests weakened: 1 test gone, not approved");
  expect(await bodyOf(rig)).toContain('  - `"test/math.test.ts", line 4: the test "subtracts" is gone`');
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await bodyOf(rig)).toContain("- Tests weakened: 1 test gone, approved by `alice`");
});

it("asks once although the process dies while it does, and judges the claim again after it", async () => {
  const rig = await aRig({ files: FILES, script: [on(1, weaken, commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  await rig.restart();
  await rig.pass(10_000);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect(commentsOn(rig).filter((one) => one.includes("may weaken the tests"))).toHaveLength(1);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("asks nobody about work that a level keeps on this machine, nor about tests that stay", async () => {
  const kept = await aRig({
    files: FILES,
    settings: { level: "observe" },
    script: [on(1, weaken, commit, openPr, complete)],
  });
  await tell(kept, labeled(kept, 1));
  expect(await stateOf(kept)).toBe("COMPLETED");
  const more = edit(
    "test/math.test.ts",
    `${TESTS}it("divides", () => {\n  expect(div(2, 1)).toBe(2);\n});\n`,
  );
  const rig = await aRig({ files: FILES, script: [on(1, more, commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await rowsOf(rig)).toEqual([]);
});
