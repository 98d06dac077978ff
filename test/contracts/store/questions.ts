import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { fresh } from "./fresh.ts";

const asked = {
  text: "Which?",
  options: [
    { name: "a", destructive: false },
    { name: "b", destructive: true },
  ],
  recommended: "a",
  defaultOption: null,
  deadlineAt: 90,
  askedOf: ["ada"],
  createdAt: 10,
} as const;
const given = { agentId: 1, text: "b", by: "bob", via: "reply", url: "https://x/1" } as const;

export function questionContract(open: () => Promise<Store>): void {
  describe("questions to people", () => {
    const store = fresh(open);
    const ask = async (more: { readonly defaultOption?: string; readonly issue?: number } = {}) => {
      const { issue = 42, ...fields } = more;
      const { id: agentId } = await insertAgent(store(), { issue });
      return store().questions.add({ ...asked, agentId, ...fields });
    };

    test("are open when they are asked, and are found by their agents", async () => {
      const { questions } = store();
      const one = await ask();
      const other = await ask({ issue: 43 });
      expect(one).toEqual({
        ...asked,
        id: one.id,
        agentId: one.agentId,
        state: "OPEN",
        commentId: null,
        answer: null,
        answeredBy: null,
        via: null,
        answeredAt: null,
        remindedAt: null,
        secondAskedAt: null,
      });
      await questions.written(one.id, 800);
      expect(await questions.get(one.id)).toEqual({ ...one, commentId: 800 });
      expect(await questions.ofAgents([other.agentId])).toEqual([other]);
      expect(await questions.ofAgents([])).toEqual([]);
    });

    test("are answered once", async () => {
      const { questions } = store();
      const { id: question } = await ask();
      expect(await questions.answer({ ...given, question }, 20)).toBe(true);
      expect(await questions.answer({ ...given, question, by: "eve" }, 21)).toBe(false);
      expect(await questions.timeOut(question, 22)).toBe(false);
      await questions.withdraw(question);
      expect(await questions.get(question)).toMatchObject({
        state: "ANSWERED",
        answer: "b",
        answeredBy: "bob",
        via: "reply",
        answeredAt: 20,
      });
      expect(await questions.answerable(0, 10)).toEqual([]);
    });

    test("are settled by time where they have a default, and stay answerable where they have none", async () => {
      const { questions } = store();
      const settled = await ask({ defaultOption: "a" });
      const waiting = await ask({ issue: 43 });
      for (const { id } of [settled, waiting]) expect(await questions.timeOut(id, 90)).toBe(true);
      expect(await questions.get(settled.id)).toMatchObject({
        state: "TIMED_OUT",
        answer: "a",
        answeredBy: null,
        via: "time-out",
        answeredAt: 90,
      });
      expect((await questions.answerable(0, 10)).map(({ id }) => id)).toEqual([waiting.id]);
      expect(await questions.answer({ ...given, question: settled.id }, 95)).toBe(false);
      expect(await questions.answer({ ...given, question: waiting.id }, 95)).toBe(true);
    });

    test("are brought up again while they are open, and are withdrawn once", async () => {
      const { questions } = store();
      const { id } = await ask();
      const again = { remindedAt: 30, secondAskedAt: 40, askedOf: ["ada", "bob"] };
      expect(await questions.askedAgain(id, again)).toBe(true);
      expect(await questions.get(id)).toMatchObject(again);
      await questions.withdraw(id);
      expect(await questions.askedAgain(id, { ...again, askedOf: [] })).toBe(false);
      expect(await questions.get(id)).toMatchObject({ ...again, state: "WITHDRAWN" });
    });
  });
}
