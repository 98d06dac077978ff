import { expect, test } from "vitest";
import { PRESETS } from "../../../src/adapters/runtimes/acp/presets/presets.ts";
import { findingsOfTurns, triedBuiltIn, triedProgram } from "../../../src/cli/doctor/check-runtimes.ts";
import type { Turn } from "../../../src/cli/runtimes/scripted-turn.ts";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { sentence } from "../../../src/server/start-checks/finding.ts";

const GOOD: Turn = {
  end: "idle",
  detail: null,
  called: true,
  firstCallMs: 1000,
  promptTokens: 5000,
  modelCalls: 2,
  used: { inputTokens: 10_000, outputTokens: 20 },
  started: [],
};

const lines = async (turn: () => Promise<Turn>) => {
  const programs = [...PRESETS.values()].filter(({ name }) => name === "codex");
  const tried = programs.map((preset) =>
    triedProgram({ name: "clever", preset, packages: "/data/runtimes/codex", file: null }, turn),
  );
  return (await findingsOfTurns(tried)).map(sentence);
};
const AGAIN = "Run `flotilla runtimes add codex`, which repairs it.";
const refused = (error: RuntimeError) =>
  lines(async () => {
    throw error;
  });

test("a program that does its turn and starts nothing of the repository is in order", async () => {
  expect(await lines(async () => GOOD)).toEqual([]);
});

test.each<[Partial<Turn>, string]>([
  [{ called: false }, "did not call the tool of Flotilla that its model called: it could do no work"],
  [{ end: "deadline" }, "did not end its turn well (deadline): it could do no work"],
  [
    { end: "runtime_died", detail: "it was ended by SIGSEGV" },
    "did not end its turn well (runtime_died: it was ended by SIGSEGV): it could do no work",
  ],
])("a turn with %o is a finding with what to do", async (turn, what) => {
  expect(await lines(async () => ({ ...GOOD, ...turn }))).toEqual([
    `runtimes.clever: Codex ${what}. ${AGAIN}`,
  ]);
});

test("a program that starts what a repository brings along is named with the file", async () => {
  const [line] = await lines(async () => ({ ...GOOD, started: [".codex/config.toml"] }));
  expect(line).toMatch(/^runtimes\.clever: Codex ran files of the repository \(\.codex\/config\.toml\)/);
});

test("why a program does not start is told with the error's own advice where it is one for people", async () => {
  expect(
    await refused(
      new RuntimeError("version_unknown", "Codex speaks version 9 of ACP", {
        consequence: "tell",
        advice: "Install another.",
      }),
    ),
  ).toEqual(["runtimes.clever: Codex speaks version 9 of ACP. Install another."]);
  expect(
    await refused(
      new RuntimeError("start_failed", "Codex did not start: it ended", {
        consequence: "retry",
        advice: "It is tried again.",
      }),
    ),
  ).toEqual([`runtimes.clever: Codex did not start: it ended. ${AGAIN}`]);
});

test("the built-in runtime comes with Flotilla", async () => {
  const bad = await findingsOfTurns([triedBuiltIn(async () => ({ ...GOOD, end: "deadline" }))]);
  expect(bad.map(sentence)).toEqual([
    expect.stringMatching(/did not end its turn well \(deadline\): .*\. Run `npm install` again/),
  ]);
});
