import { describe, expect, it } from "vitest";
import { reminderDue } from "../../../src/domain/status/reminder.ts";

const TIMES = { remindAfterMs: 100, secondPersonAfterMs: 500 };
const waits = (reminders: number) => ({ sleepingSince: 1000, reminders });
const due = (reminders: number, at: number, notify: readonly string[] = ["one", "two"]) =>
  reminderDue(waits(reminders), TIMES, notify, at);

describe("a reminder of what waits for a person", () => {
  it("is due at its time and not a moment before, once", () => {
    expect(due(0, 1099)).toBeNull();
    expect(due(0, 1100)).toEqual({ login: "one", second: false, reminders: 1 });
    expect(due(1, 1499)).toBeNull();
  });

  it("goes to a second person at theirs, and after that to nobody", () => {
    expect(due(1, 1500)).toEqual({ login: "two", second: true, reminders: 2 });
    expect(due(0, 1500)).toEqual({ login: "two", second: true, reminders: 2 });
    expect(due(2, 9999)).toBeNull();
  });

  it("is the only one where no second person is named, and names nobody where nobody is", () => {
    expect(due(0, 1500, ["one"])).toEqual({ login: "one", second: false, reminders: 2 });
    expect(due(0, 1500, [])).toEqual({ login: null, second: false, reminders: 2 });
  });

  it("is due for nobody who does not wait", () => {
    expect(reminderDue({ sleepingSince: null, reminders: 0 }, TIMES, [], 9999)).toBeNull();
  });
});
