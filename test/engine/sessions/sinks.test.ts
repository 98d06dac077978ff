import { readFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../adapters/store/temporary.ts";
import { ENCODINGS } from "../../encodings.ts";
import { everythingIn, leakOf, leaksIn } from "../../leaks-in.ts";
import { proved } from "../../proved.ts";
import { answersTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, OUR_KEY, OUR_SECRET, type Rig } from "../rig.ts";
import { call, edit, on, say } from "../scripts.ts";

const LEAK = leakOf(OUR_KEY);
const CANARY = { key: OUR_KEY };

/** The rig's database does not know this one, as it would one that is found out after it was written. */
const LATE = [
  on(
    1,
    call("comment", { body: `Look: ${OUR_SECRET}` }),
    edit(),
    call("commit", { message: `Build ${OUR_SECRET}` }),
    call("open_pr", { title: `Build ${OUR_SECRET}`, body: OUR_SECRET }),
    call("escalate_to_human", { reason: "x", category: "decision", question: OUR_SECRET }),
  ),
];

/** An agent that has the key, and puts it in every form into everything that it can put out. */
const LEAKS = [
  on(
    1,
    say(LEAK),
    call("bash", { command: `echo ${LEAK}` }),
    call("comment", { body: `Look:\n${LEAK}` }),
    edit(),
    call("commit", { message: `Build it\n\n${LEAK}` }),
    call("open_pr", { title: `Build ${OUR_KEY}`, body: LEAK }),
    call("label", { name: `x-${OUR_KEY}` }),
    call("create_blocker_issue", { title: `First ${OUR_KEY}`, body: LEAK }),
    call("write_handoff", { summary: LEAK, next_action: LEAK }),
    call("escalate_to_human", { reason: LEAK, category: "decision", question: LEAK }),
  ),
  on(2, call("ask_human", { question: LEAK, options: [`a ${OUR_KEY}`, "b"] })),
  on(
    3,
    edit(),
    call("report_complete", { summary: LEAK }),
    call("escalate_to_human", { reason: LEAK, category: "access", question: null }),
  ),
];

/** Where what agents say ends up, as texts. A new table is searched without being named here. */
const outside = (rig: Rig, commits: readonly string[]): Readonly<Record<string, string>> => ({
  comments: everythingIn(rig.repository.comments),
  "issues and their labels": everythingIn(rig.repository.issues),
  "pull requests": everythingIn(rig.repository.pulls),
  commits: commits.join("\n"),
  "all of GitHub": everythingIn(rig.repository),
  "answers to the model": answersTo(rig).join("\n"),
});

/** Each table of a database file as one text. */
function tablesOf(path: string): ReadonlyMap<string, string> {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return new Map(
      names.map((name) => [
        String(name),
        everythingIn(database.prepare(`SELECT * FROM "${String(name)}"`).all()),
      ]),
    );
  } finally {
    database.close();
  }
}

/** Gathers what is said in commits. */
function listen(rig: Rig, commits: string[]): void {
  const commit = rig.worktrees.commit.bind(rig.worktrees);
  rig.worktrees.commit = (ref, options) => {
    commits.push(options.message);
    return commit(ref, options);
  };
}

/** Tables into which what agents say is written. */
const TOLD = ["transition", "run_event", "tool_call", "effect", "intent", "agent", "question"];

describe("what an agent says that has a key of ours", () => {
  it("holds it nowhere, in no encoding and no piece: not on GitHub, in commits, answers, or any table", async () => {
    const path = join(temporaryDirectory(), "flotilla.db");
    const rig = await aRig({ script: LEAKS, database: path });
    const commits: string[] = [];
    listen(rig, commits);
    for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
    const searched = { ...outside(rig, commits), ...Object.fromEntries(tablesOf(path)) };
    const leaks = Object.entries(searched).flatMap(([sink, text]) =>
      leaksIn(text, CANARY).map((leak) => `${sink}: ${leak}`),
    );
    expect(leaks).toEqual([]);
    // The key was there to be taken out: an empty place shows nothing.
    for (const sink of ["comments", "issues and their labels", "pull requests", "commits", ...TOLD])
      expect(`${sink}: ${searched[sink]?.includes("[redacted]") ?? false}`).toBe(`${sink}: true`);
    const bytes = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("");
    expect(leaksIn(bytes, CANARY)).toEqual([]);
    proved({
      promise: "A secret that an agent has leaves it in no text, however it is encoded or cut.",
      test: "test/engine/sessions/sinks.test.ts",
      figure: `${leaks.length} leaks of ${ENCODINGS.length} encodings in ${Object.keys(searched).length} places`,
    });
  });

  it("holds it nowhere on GitHub and in no commit either where it was written before it was known", async () => {
    const rig = await aRig({ script: LATE });
    const commits: string[] = [];
    listen(rig, commits);
    await tell(rig, labeled(rig, 1));
    expect(
      (await rig.store.effects.find({ kind: "commit" })).map((row) => everythingIn(row)).join(""),
    ).toContain(OUR_SECRET);
    const said = outside(rig, commits);
    for (const sink of ["comments", "pull requests", "commits"]) expect(said[sink]).toContain("[redacted]");
    expect(Object.values(said).join("\n")).not.toContain(OUR_SECRET);
  });
});
