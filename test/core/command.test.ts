import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readComment, VERBS } from "../../src/core/command.ts";

const read = (body: string) => readComment(body, "flotilla");
const command = (body: string) => read(body).command;

describe("comment commands", () => {
  it.each(VERBS)("know /flotilla %s and @flotilla %s", (verb) => {
    expect(command(`/flotilla ${verb}`)).toEqual({ verb, rest: "" });
    expect(command(`@flotilla ${verb}`)).toEqual({ verb, rest: "" });
  });

  it.each([
    ["/flotilla", { verb: "status", rest: "" }],
    ["/flotilla START  feat-dev ", { verb: "start", rest: "feat-dev" }],
    ["/Flotilla continue 20", { verb: "continue", rest: "20" }],
    ["@Flotilla: pause please", { verb: "pause", rest: "please" }],
    ["@flotilla[bot] resume", { verb: "resume", rest: "" }],
    ["  /flotilla why", { verb: "why", rest: "" }],
    ["Hello\r\n/flotilla cancel\r\nthanks", { verb: "cancel", rest: "" }],
    ["/flotilla pause\n/flotilla cancel", { verb: "pause", rest: "" }],
  ])("read %j", (body, expected) => {
    expect(command(body)).toEqual(expected);
  });

  it("give an answer the rest of the comment, and other verbs their line", () => {
    expect(command("/flotilla answer yes\n\nbut only\nhere")).toEqual({
      verb: "answer",
      rest: "yes\n\nbut only\nhere",
    });
    expect(command("/flotilla answer\nblue")).toEqual({ verb: "answer", rest: "blue" });
    expect(command("/flotilla retry\nnow")).toEqual({ verb: "retry", rest: "" });
  });

  it.each([
    ["/flotilla stauts", { verb: "unknown", given: "stauts", nearest: "status" }],
    ["/flotilla stop", { verb: "unknown", given: "stop", nearest: null }],
    ["/flotilla deploy", { verb: "unknown", given: "deploy", nearest: null }],
    ["/flotilla __proto__", { verb: "unknown", given: "__proto__", nearest: null }],
  ])("name a verb that is near, if one is, for %j", (body, expected) => {
    expect(command(body)).toEqual(expected);
  });

  it.each([
    "we said /flotilla start",
    "> /flotilla start",
    "```\n/flotilla start\n```",
    "~~~sh\n/flotilla start\n```\n/flotilla start\n~~~",
    "````\n```\n/flotilla start\n````",
    "    /flotilla start",
    "\t/flotilla start",
    "`/flotilla start`",
    "``/flotilla `start` ``",
    "```\n```sh\n/flotilla start\n```",
    "> as you said\n/flotilla start",
    "`first` /flotilla start",
    "`one\n/flotilla start\ntwo`",
    "<!-- \n/flotilla start\n-->",
    "<!-- never closed\n/flotilla start",
    "/flotillas start",
    "@flotilla-two start",
    "thanks @flotilla start",
    "",
  ])("are not in %j", (body) => {
    expect(command(body)).toBeNull();
  });

  it("go on after a fence that was closed", () => {
    expect(command("```\n/flotilla start\n```\n/flotilla pause")).toEqual({ verb: "pause", rest: "" });
  });

  it.each([
    ["> as you said\n\n/flotilla pause", "pause"],
    ["> as you said\n```\n```\n/flotilla pause", "pause"],
    ["a lone ` here\n\n/flotilla pause `", "pause"],
    ["<!-- hidden --> \n/flotilla pause <!--", "pause"],
    ["```\n<!--\n```\n/flotilla pause", "pause"],
  ] as const)("are seen again after what hides them in %j", (body, verb) => {
    expect(command(body)).toMatchObject({ verb });
  });

  it("keep the code that belongs to what is said", () => {
    expect(command("/flotilla approve `0123456789ab`")).toEqual({ verb: "approve", rest: "`0123456789ab`" });
    expect(command("/flotilla answer use `blue`:\n```json\n{}\n```\n> and this")).toEqual({
      verb: "answer",
      rest: "use `blue`:\n```json\n{}\n```\n> and this",
    });
  });

  it("are read in time that grows with the comment alone", () => {
    for (const part of ["<!--", "`", "``", "` `` ``` ", "\n>", "\n    ", "``` \n"]) {
      const body = part.repeat(Math.ceil(65_536 / part.length));
      const begun = performance.now();
      read(body);
      expect(performance.now() - begun).toBeLessThan(1000);
    }
  });

  it("treat other words after the App's name as a message, not as a command", () => {
    expect(read("@flotilla could you look at this?")).toEqual({ command: null, mention: true });
  });

  it.each([
    ["hi @flotilla", true],
    ["(@Flotilla)", true],
    ["@flotilla[bot] hello", true],
    ["@flotilla status", true],
    ["mail me@flotilla", false],
    ["@flotilla-two", false],
    ["@acme/flotilla", false],
    ["`@flotilla`", false],
    ["> @flotilla", false],
    ["/flotilla status", false],
  ])("see in %j a mention: %s", (body, mention) => {
    expect(read(body).mention).toBe(mention);
  });

  it("take the App's name literally", () => {
    expect(readComment("@axb start", "a.b")).toEqual({ command: null, mention: false });
    expect(readComment("@a.b start", "a.b").command).toEqual({ verb: "start", rest: "" });
  });

  it("never throw, whatever people write", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (body) => {
        expect(read(body)).toHaveProperty("mention");
        expect(read(`/flotilla ${body}`).command).not.toBeUndefined();
      }),
    );
  });
});
