import { expect, it } from "vitest";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { ConversationKeeper } from "../../../src/engine/sessions/conversation-keeper.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, OUR_KEY, type Rig } from "../rig.ts";
import { after, blocked, commit, complete, edit, on, openPr, say, slowly, work } from "../scripts.ts";

const LONG = 20 * MINUTE;
/** The agent of the first issue has this id. */
const FIRST = 1;
const kept = (rig: Rig) => rig.store.conversations.get(FIRST);
const textOf = async (rig: Rig) => Buffer.from((await kept(rig))?.packed ?? []).toString();
const handoffs = async (rig: Rig) => rig.store.handoffs.ofAgent((await agentOf(rig)).id);

/** As a client does whose process has ended. */
const gone = () => {
  throw new Error("Client is not connected");
};

/** Everything but the database is gone. */
async function loseDisk(rig: Rig): Promise<void> {
  rig.life.end();
  rig.worktrees.loseMirror();
  rig.runtime.loseConversations();
  await rig.restart();
}

it("an agent at work continues its conversation and its work when everything but the database is lost", async () => {
  const rig = await aRig({ script: [on(1, edit("a.ts", "one"), slowly(LONG, commit), openPr, complete)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("both are kept", async () => {
    const row = await rig.store.checkpoints.get(FIRST);
    return row?.pushed != null && (await textOf(rig)).includes("which the fake does not run");
  });
  const [before = []] = rig.runtime.requests.slice(-1);
  await loseDisk(rig);
  await rig.work(2 * LONG);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await handoffs(rig)).toEqual([]);
  const later = rig.runtime.requests.find((request) => request.length > before.length) ?? [];
  expect(JSON.stringify(later.slice(1, before.length))).toBe(JSON.stringify(before.slice(1)));
  expect(rig.worktrees.serverHead((await agentOf(rig)).branch ?? "")).not.toBeNull();
});

it("a sleeper wakes with its whole conversation, also with what it said last", async () => {
  const rig = await aRig({
    script: [on(1, edit(), blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING" });
  expect(await textOf(rig)).toContain("Recorded. Nothing more runs after this.");
  await loseDisk(rig);
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await handoffs(rig)).toEqual([]);
});

it("costs nothing but itself when the process cannot save any longer, however that is told", async () => {
  const rig = await aRig({ script: [on(1, edit(), blocked(2))] });
  await tell(rig, labeled(rig, 1));
  for (const save of [gone, async () => gone()]) {
    const keeper = new ConversationKeeper(rig.context, await agentOf(rig));
    keeper.attach({ save });
    keeper.observe({ type: "turn_ended", turnId: "1" });
    await keeper.close();
  }
  const warnings = rig.logged.filter(({ message }) => message === "conversation not kept in the database");
  expect(warnings).toHaveLength(2);
});

it("goes with the end of its agent", async () => {
  const rig = await aRig({ script: [on(1, edit(), blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect(await kept(rig)).toMatchObject({ token: 1 });
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await kept(rig)).toBeUndefined();
});

it("holds no secret of ours", async () => {
  const rig = await aRig({ script: [on(1, say(`the key is ${OUR_KEY}`), blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect(await textOf(rig)).toContain("the key is ");
  expect(await textOf(rig)).not.toContain(OUR_KEY);
});

it("a late writer of an earlier period changes nothing", async () => {
  const rig = await aRig({ script: [on(1, edit("a.ts", "one"), slowly(LONG, commit), openPr, complete)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is kept", async () => (await kept(rig)) !== undefined);
  const first = await kept(rig);
  if (first === undefined) throw new Error("nothing is kept");
  const before = { ...first, keptAt: 5 };
  await rig.store.conversations.put(before);
  const agent = await agentOf(rig);
  await rig.store.records.save("agent", agent, { ...agent, token: agent.token + 1 });
  const { portable } = rig.runtime;
  if (portable === undefined) throw new Error("the fake's conversations are portable");
  const pack = methodOf(portable, "pack");
  let packs = 0;
  portable.pack = (...given) => {
    packs += 1;
    return pack(...given);
  };
  rig.runtime.opened.at(-1)?.onEvent({ type: "turn_ended", turnId: "late" });
  await rig.until("it was read again", () => packs === 1);
  await rig.store.transaction(() => Promise.resolve());
  expect(await kept(rig)).toEqual(before);
});

/** A sleeper whose next opening says that its conversation is damaged. */
async function damaged(): Promise<Rig> {
  const rig = await aRig({
    script: [on(1, edit(), blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = () => {
    rig.runtime.open = open;
    const error = new RuntimeError("session_damaged", "it is no JSON", { consequence: "stop" });
    return Promise.reject(error);
  };
  return rig;
}

it("one that is damaged on the disk is put back, in place of a handoff", async () => {
  const rig = await damaged();
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await handoffs(rig)).toEqual([]);
});

it("one that is damaged here and there is handed over", async () => {
  const rig = await damaged();
  const row = await kept(rig);
  if (row === undefined) throw new Error("nothing is kept");
  await rig.store.conversations.put({ ...row, packed: Buffer.from("broken") });
  await tell(rig, closed(rig, 2));
  expect(await handoffs(rig)).toMatchObject([{ cause: "session_lost" }]);
});
