import { describe, expect, test } from "vitest";
import { continued, plainMessages } from "../../../../src/adapters/runtimes/gateway/stable-messages.ts";

const user = (content: string) => ({ role: "user", content });
const said = (content: string) => ({ role: "assistant", content });
const called = (id: string) => ({ role: "assistant", content: null, tool_calls: [{ id }] });
const answer = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });

test("fields that the runtime adds or leaves out are in no message", () => {
  expect(
    plainMessages([
      { ...called("1"), refusal: null },
      { ...answer("1", "text"), __copilotMessageSource: "tool" },
      { role: "assistant", refusal: "I can't." },
      null,
      "text",
    ]),
  ).toEqual([called("1"), answer("1", "text"), { role: "assistant", refusal: "I can't." }, null, "text"]);
});

describe("a conversation that the runtime has read from disk", () => {
  const sent = [user("Go."), called("1"), answer("1", "no such file: try another"), user("Half is used.")];

  test("keeps answers and remarks as they were sent, and goes on with what is new", () => {
    const built = [user("Go."), called("1"), answer("1", "no such file"), said("Asleep."), user("Continue.")];
    expect(continued(sent, built)).toEqual([...sent, said("Asleep."), user("Continue.")]);
  });

  test("keeps several remarks in a row, and those that the runtime still has", () => {
    const more = [...sent, user("Bob says: hurry.")];
    expect(continued(more, [user("Go."), called("1"), answer("1", ""), said("Asleep.")])).toEqual([
      ...more,
      said("Asleep."),
    ]);
    expect(continued(more, [...more, said("Asleep.")])).toEqual([...more, said("Asleep.")]);
  });

  test.each([
    ["has another first message", [user("Stop."), called("1"), answer("1", "")]],
    ["is shorter", [user("Go.")]],
    ["was summed up", [user("Go."), said("A summary."), user("Continue.")]],
    ["answers another call", [user("Go."), called("1"), answer("2", "")]],
    ["is empty", []],
  ])("is sent as it is built where it %s", (_, built) => {
    expect(continued(sent, built)).toEqual(built);
  });

  test("is sent as it is built where a message of the host is missing that follows no tool", () => {
    const built = [said("Hello."), user("Continue.")];
    expect(continued([said("Hello."), user("Go.")], built)).toEqual(built);
  });
});
