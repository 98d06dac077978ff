import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../../src/domain/kernel/errors.ts";
import { whole } from "../fleet/prove-fleet.ts";
import { complaintsPage } from "./page.ts";
import { type Judged, writeResult } from "./result.ts";
import { onScene, PATIENCE_S, type Scene } from "./scene.ts";
import { STORIES, type StoryName } from "./stories.ts";
import { COMPLAINTS, type Complaint } from "./table.ts";
import { type Finding, VERDICTS, verdictOf } from "./verdict.ts";

const PAGE = join(import.meta.dirname, "../../../docs/complaints.md");
/** Stories that are played at the same time, each with a process of its own. */
const AT_ONCE = "2";

/**
 * `npm run prove -- complaints [--only 17 …] [--story limits …] [--at-once 1] [--patience 900] [--write]`: plays the stories of the complaints, or of some, and
 * prints a verdict on each. Returns 1 when a story did not come to its end.
 */
export async function proveComplaints(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true, default: [] },
      story: { type: "string", multiple: true, default: [] },
      "at-once": { type: "string", default: AT_ONCE },
      patience: { type: "string", default: String(PATIENCE_S) },
      write: { type: "boolean", default: false },
    },
  });
  const only = values.only.map((text) => whole("only", text));
  const wanted = COMPLAINTS.filter(
    ({ number, story }) =>
      (only.length === 0 || only.includes(number)) &&
      (values.story.length === 0 || values.story.includes(story)),
  );
  if (wanted.length === 0) throw new Error("there is no such complaint");
  const began = performance.now();
  const left = [...new Set(wanted.map(({ story }) => story))];
  const judged: Judged[] = [];
  const playNext = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      judged.push(...(await judge(name, wanted, whole("patience", values.patience))));
      // Each story is kept, so that a run that is broken off has not been for nothing.
      if (values.write) record(judged);
    }
  };
  await Promise.all(Array.from({ length: whole("at-once", values["at-once"]) }, playNext));
  const minutes = (performance.now() - began) / 60_000;
  for (const verdict of VERDICTS)
    print(`${verdict}: ${judged.filter((one) => one.verdict === verdict).length}`);
  print(`${minutes.toFixed(1)} min`);
  return judged.some(({ verdict }) => verdict === "not judged") ? 1 : 0;
}

function record(judged: readonly Judged[]): void {
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, ${day}`;
  writeFileSync(PAGE, complaintsPage(COMPLAINTS, writeResult({ machine, judged: [...judged] })));
}

/** Plays a story and judges those of the complaints that are its. */
async function judge(
  name: StoryName,
  wanted: readonly Complaint[],
  patienceSeconds: number,
): Promise<readonly Judged[]> {
  const story = STORIES[name];
  const mine = wanted.filter((one) => one.story === name);
  print(`${time()} ${name}: ${story.played}`);
  const finding = await played(name, patienceSeconds);
  const judged = mine.map(({ number }): Judged => {
    const { holds, besides = [] } = finding(number);
    return {
      number,
      verdict: verdictOf({ holds, besides }),
      facts: [...holds, ...besides].map(([seen, isSo]) => [seen, isSo]),
    };
  });
  for (const { number, verdict, facts } of judged) {
    print(`${time()} ${number} ${verdict}`);
    for (const [seen, isSo] of facts) print(`    ${isSo ? "" : "NOT SO: "}${seen}`);
  }
  return judged;
}

async function played(name: StoryName, patienceSeconds: number): Promise<(complaint: number) => Finding> {
  const story = STORIES[name];
  try {
    return await onScene(await story.setting(), patienceSeconds, async (scene) => {
      const finding = await story.run(scene);
      for (const line of await states(scene)) print(`    ${line}`);
      return finding;
    });
  } catch (error) {
    print(
      `${time()} ${name} did not come to its end: ${error instanceof Error ? (error.stack ?? "") : messageOf(error)}`,
    );
    return () => ({ holds: [] });
  }
}

/** Returns how each agent stands at the end, for whoever wonders about a verdict. */
async function states({ api }: Scene): Promise<readonly string[]> {
  const agents = await api.agents();
  return agents
    .map(
      ({ issue, role, attempt, state, reason, now }) =>
        `#${issue} ${role} ${attempt} ${state}: ${String(reason ?? now)}`,
    )
    .toSorted();
}

function time(): string {
  return new Date().toISOString().slice(11, 19);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
