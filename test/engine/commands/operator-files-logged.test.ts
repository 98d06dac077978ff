import { expect, it } from "vitest";
import { said } from "../people.ts";
import { atWork, decided, look, sprints, twoSprints } from "./sprints-at-work.ts";

it("logs each act of a file, and records the hold once", async () => {
  const logged: string[] = [];
  const info = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const rig = await twoSprints({ wrapped: (given) => ({ ...given, log: { ...given.log, info } }) });
  const held: string[] = [];
  const transaction = rig.store.transaction.bind(rig.store);
  rig.store.transaction = (act) =>
    transaction((tables) => {
      const add: typeof tables.decisions.add = (row) => {
        if (row.issue === null) held.push(row.reason);
        return tables.decisions.add(row);
      };
      return act({ ...tables, decisions: { ...tables.decisions, add } });
    });
  rig.operatorFiles.create("ABORT");
  await look(rig);
  await rig.restart();
  await look(rig);
  rig.operatorFiles.remove("ABORT");
  await look(rig);
  expect(held).toEqual(["the file ABORT holds all agents", "no file holds the agents any more"]);
  const followed = "a goal or a sprint has followed the operator's file";
  expect(logged.filter((line) => line.includes("file"))).toEqual([
    expect.stringContaining('the files that hold all agents have changed {"files":"the file ABORT"}'),
    expect.stringContaining(`${followed} {"machine":"goal"`),
    expect.stringContaining(`${followed} {"machine":"sprint"`),
    expect.stringContaining('the files that hold all agents have changed {"files":null}'),
  ]);
});

it("logs the reason of a refusal once, and tries again at each look", async () => {
  const warned: string[] = [];
  const warn = (fields: object, message: string) => {
    if (message.includes("file")) warned.push(`${message} ${JSON.stringify(fields)}`);
  };
  const rig = await twoSprints({ wrapped: (given) => ({ ...given, log: { ...given.log, warn } }) });
  const { transitions } = rig.store;
  const ofSprint = transitions.ofSprint.bind(transitions);
  // A person stops the sprint between the file's look at it and its move.
  let isRival = true;
  transitions.ofSprint = async (sprint) => {
    const moves = await ofSprint(sprint);
    if (isRival) await rig.engine.handle(said(rig, 3, "/flotilla checkpoint"));
    isRival = false;
    return moves;
  };
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  expect(warned).toEqual([expect.stringMatching(/has not followed the operator's file yet .*"error":"/)]);
  expect(await decided(rig, 3)).toEqual([]);

  // The database fails at each of three looks.
  rig.operatorFiles.remove("CHECKPOINT");
  const transaction = rig.store.transaction.bind(rig.store);
  rig.store.transaction = () => Promise.reject(new Error("the database is locked"));
  for (const _ of [1, 2, 3]) await look(rig).catch(() => {});
  expect(warned.slice(1)).toEqual([expect.stringContaining('"error":"the database is locked"')]);
  rig.store.transaction = transaction;
  await look(rig);
  expect(await sprints(rig)).toEqual(["IN_PROGRESS", "CHECKPOINT"]);
});

it("keeps everything as it is while the directory cannot be looked at", async () => {
  const rig = await atWork();
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  const present = rig.operatorFiles.present.bind(rig.operatorFiles);
  rig.operatorFiles.present = () => Promise.reject(new Error("input/output error"));
  await rig.engine.tick();
  expect((await rig.store.scopePauses.list()).map(({ holder }) => holder)).toEqual(["file"]);
  expect(rig.logged.map(({ message }) => message)).toContain("the operator's files could not be followed");
  rig.operatorFiles.present = present;
  rig.operatorFiles.remove("PAUSE");
  await rig.engine.tick();
  expect(await rig.store.scopePauses.list()).toEqual([]);
});
