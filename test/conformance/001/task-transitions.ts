import { describe, expect, it } from "vitest";
import { taskMachine } from "../../../src/domain/tasks/task.ts";
import { arrowsOf } from "../../domain/machines/arrow.ts";
import { taskWalker } from "../task-walker.ts";
import { follow, refused, typeOf } from "../walker.ts";
import {
  BEYOND,
  DIAGRAM,
  DIAGRAM_DIFFERS,
  FORBIDDEN,
  MOVES,
  STAYS,
  TASK_STATES,
  TERMINAL,
} from "./task-moves.ts";

/** What our table can do at all: `from event to`, whatever its guards say. */
const ours = arrowsOf(taskMachine).filter(({ from }) => from !== "(new)");
const print = ({ from, event, to }: { from: string; event: string; to: string }) => `${from} ${event} ${to}`;

/** The document's task, arrow by arrow, and everything else. */
export function taskTransitions(): void {
  describe("the task's states", () => {
    it("are ours, and the same three are final", () => {
      expect(taskWalker.states.toSorted()).toEqual([...TASK_STATES].toSorted());
      expect(taskWalker.terminal.toSorted()).toEqual([...TERMINAL].toSorted());
    });

    it("are all reached", () => {
      for (const state of TASK_STATES) expect(taskWalker.reach(state).snapshot).toMatchObject({ state });
    });
  });

  describe("the task's moves", () => {
    it.each(MOVES)("$word: from $from to $to", ({ from, to, by }) => {
      const way = taskWalker.pathThrough(taskWalker.reach(from), [to], { by: [by], bound: 1 });
      expect(way?.steps.at(-1)).toEqual({ from, event: typeOf(by), to });
    });

    it("of the diagram are those of the table, but for what is ruled", () => {
      const table = MOVES.map(({ from, word, to }) => `${from} ${word} ${to}`);
      expect(DIAGRAM.filter((arrow) => !table.includes(arrow))).toEqual(DIAGRAM_DIFFERS.drawn);
      expect(table.filter((arrow) => !DIAGRAM.includes(arrow))).toEqual(DIAGRAM_DIFFERS.listed);
    });

    it("and ours: every other arrow of our table is ruled", () => {
      const theirs = MOVES.map(({ from, by, to }) => `${from} ${typeOf(by)} ${to}`);
      const beyond = BEYOND.flatMap(({ from, by, to }) => from.map((state) => `${state} ${by} ${to}`));
      const moving = ours.filter(({ from, to }) => from !== to).map(print);
      expect(moving.toSorted()).toEqual([...theirs, ...beyond].toSorted());
    });

    it("and ours: what stays where it is, is no move in its words", () => {
      const staying = ours.filter(({ from, to }) => from === to);
      expect(staying.map(({ from, event }) => `${from} ${event}`).toSorted()).toEqual(STAYS.toSorted());
    });

    it.each(BEYOND)("beyond it: $by to $to ($ruled)", ({ from, to, by, after }) => {
      const before = after === undefined ? [] : [after];
      const without = from.filter(
        (state) =>
          taskWalker.pathThrough(taskWalker.reach(...before, state), [to], { by: [by], bound: 1 }) === null,
      );
      expect(without).toEqual([]);
    });
  });

  describe("the forbidden moves", () => {
    const pairs = TASK_STATES.flatMap((from) => TASK_STATES.map((to) => ({ from, to }))).filter(
      ({ from, to }) => from !== to && !ours.some((arrow) => arrow.from === from && arrow.to === to),
    );

    it("are all pairs of states but those above", () => {
      const allowed = new Set(
        [
          ...MOVES.map(({ from, to }) => `${from} ${to}`),
          ...BEYOND.flatMap(({ from, to }) => from.map((state) => `${state} ${to}`)),
        ].toSorted(),
      );
      expect(pairs).toHaveLength(TASK_STATES.length * (TASK_STATES.length - 1) - allowed.size);
    });

    it.each(TASK_STATES)("from %s are taken by no event that we have", (from) => {
      const way = taskWalker.reach(from);
      const ends = taskWalker.events.flatMap((event) =>
        taskWalker.answers(way, event).flatMap((answer) => ("to" in answer ? [answer.to] : [])),
      );
      for (const { to } of pairs.filter((pair) => pair.from === from)) expect(ends).not.toContain(to);
    });

    it.each(FORBIDDEN)("$from to $to: $why", ({ from, to, without }) => {
      const by = taskWalker.events.filter((event) => !without.includes(event));
      expect(taskWalker.events).toEqual(expect.arrayContaining([...without]));
      expect(taskWalker.pathThrough(taskWalker.reach(from), [to], { by })).toBeNull();
      expect(taskWalker.pathThrough(taskWalker.reach(from), [to])).not.toBeNull();
      expect(
        ours.filter((arrow) => arrow.from === from && arrow.to === to).map(({ event }) => event),
      ).toEqual(without.filter((event) => event === "OBSERVED_MERGED"));
    });

    it("self-approval is refused where a verdict is asked for", () => {
      const review = taskWalker.reach("READY_FOR_REVIEW");
      const own = { type: "APPROVE", reviewer: "alice", author: "alice" };
      expect(refused(taskWalker, review, own).map(({ rule }) => rule)).toEqual(["own_work"]);
    });

    it.each(TERMINAL)("%s is left by nothing, not even by what a person did on GitHub", (state) => {
      for (const event of taskWalker.events.filter((one) => one !== "OPEN"))
        for (const refusal of refused(taskWalker, taskWalker.reach(state), event))
          expect(refusal.code).toBe("no_such_transition");
      expect(() => follow(taskWalker, taskWalker.reach(state), "OPEN")).toThrow("refuses OPEN");
    });
  });
}
