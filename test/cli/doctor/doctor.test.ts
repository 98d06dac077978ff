import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examine } from "../../../src/cli/doctor/examine.ts";
import { sentence } from "../../../src/server/start-checks/finding.ts";
import { BUBBLEWRAP_IS_HERE } from "../../adapters/sandbox/bubblewrap-here.ts";
import { proved } from "../../proved.ts";
import { aPlace, diagnosed, type Ground, type Place, prepareGround } from "./place.ts";
import { SETUPS_OF_GITHUB } from "./setups-of-github.ts";
import { program, SETUPS_OF_PLACE } from "./setups-of-place.ts";

const SETUPS = [...SETUPS_OF_GITHUB, ...SETUPS_OF_PLACE];

let ground: Ground;
const named: string[] = [];

beforeAll(async () => {
  ground = await prepareGround();
});
afterAll(() => ground.close());

/** What is found, but for the sandbox, which these places go without since it takes its time. */
async function lines(place: Place): Promise<readonly string[]> {
  const { code, findings } = await diagnosed(place);
  expect(code).toBe(findings.length === 0 ? 0 : 1);
  return findings.map(sentence).filter((line) => !line.startsWith("sandbox: is off"));
}

test("a webhook that is switched off is named: not even the installation was told", async () => {
  expect(await lines(aPlace(ground))).toEqual([
    expect.stringMatching(
      /^the App's webhook: has sent nothing, not even .* on acme: it is disabled.*Tick Active/,
    ),
  ]);
  await ground.tell();
});

describe("of a set-up with one fault the fault is named, and nothing else", () => {
  test.each(SETUPS.map((setup) => [setup.name, setup] as const))(
    "%s",
    async (name, { spoil, says, also }) => {
      // The newest webhook of the set-up before may have been lost.
      await ground.tell();
      const place = aPlace(ground);
      try {
        await spoil(place);
        const found = await lines(place);
        expect(found.filter((line) => says.test(line))).toHaveLength(1);
        expect(found.filter((line) => !says.test(line) && also?.test(line) !== true)).toEqual([]);
        named.push(name);
      } finally {
        for (const step of place.undo.toReversed()) step();
      }
    },
  );
});

test("each runtime that is configured does a turn, the built-in one too", async () => {
  const place = aPlace(ground);
  program(place);
  const shown: string[] = [];
  const { inOrder } = await examine(
    { env: place.env, cwd: place.home, options: {}, args: [] },
    { show: (what) => shown.push(what) },
  );
  expect(inOrder).toEqual(expect.arrayContaining(["git", "the database", "the webhooks"]));
  expect(shown.filter((what) => what.endsWith(" is tried"))).toEqual([
    "Copilot runtime is tried",
    "mine is tried",
  ]);
});

test("agents that nothing confines are a finding", async () => {
  const { findings } = await diagnosed(aPlace(ground));
  expect(findings.map(sentence)).toEqual([expect.stringMatching(/^sandbox: is off: .*bubblewrap/)]);
  named.push("sandbox off");
});

test.skipIf(!BUBBLEWRAP_IS_HERE)("where nothing is wrong nothing is found", async () => {
  await ground.tell();
  const place = aPlace(ground);
  place.configure("sandbox: { mode: bubblewrap }");
  program(place);
  expect(await diagnosed(place)).toEqual({ code: 0, findings: [] });
  proved({
    promise:
      "flotilla doctor names each wrong setting with its cure, and finds nothing where nothing is wrong",
    test: "test/cli/doctor/doctor.test.ts",
    figure: `${named.length + 1} broken set-ups, each fault named; the healthy one has 0 findings`,
  });
});
