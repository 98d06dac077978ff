import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readComment, VERBS } from "../../../src/domain/commands/command.ts";

const read = (body: string) => readComment(body, "flotilla");
const command = (body: string) => read(body).command;

describe("comment commands", () => {
  it.each(VERBS)("know /flotilla %s and @flotilla %s", (verb) => {
    expect(command(`/flotilla ${verb}`)).toEqual({ verb, rest: "" });
    expect(command(`@flotilla ${verb}`)).toEqual({ verb, rest: "" });
  });

  it.each([
    ["/flotilla", { verb: "status", rest: "" }],
    [
      "/flotilla start feat-dev\n\nUse `dates`.\n",
      { verb: "start", rest: "feat-dev", below: "Use `dates`." },
    ],
    ["/flotilla START  feat-dev ", { verb: "start", rest: "feat-dev" }],
    ["/Flotilla continue 20", { verb: "continue", rest: "20" }],
    ["@Flotilla: pause please", { verb: "pause", rest: "please" }],
    ["@flotilla[bot] resume", { verb: "resume", rest: "" }],
    ["  /flotilla why", { verb: "why", rest: "" }],
    ["\r\n \r\n/flotilla cancel\r\nthanks", { verb: "cancel", rest: "" }],
    ["/flotilla\tstart\tfeat-dev", { verb: "start", rest: "feat-dev" }],
    ["/flotilla start\n===", null],
    ["/flotilla deny 👨‍👩‍👧 ❤️ no", { verb: "deny", rest: "👨‍👩‍👧 ❤️ no" }],
    ["/flotilla pause\n/flotilla cancel", { verb: "pause", rest: "" }],
  ])("read %j", (body, expected) => {
    expect(command(body)).toEqual(expected);
  });

  it("give those that say something the rest of the comment, and other verbs their line", () => {
    expect(command("/flotilla answer yes\n\nbut only\nhere")).toEqual({
      verb: "answer",
      rest: "yes\n\nbut only\nhere",
    });
    expect(command("/flotilla answer\nblue")).toEqual({ verb: "answer", rest: "blue" });
    expect(command("/flotilla retry use blue\n\nnot red")).toEqual({
      verb: "retry",
      rest: "use blue\n\nnot red",
    });
    expect(command("/flotilla resume 2\nuse blue")).toEqual({ verb: "resume", rest: "2\nuse blue" });
    expect(command("/flotilla continue\nuse blue")).toEqual({ verb: "continue", rest: "use blue" });
    expect(command("/flotilla release\nnow")).toEqual({ verb: "release", rest: "" });
  });

  it.each([
    ["/flotilla stauts", { verb: "unknown", given: "stauts", nearest: "status" }],
    ["/flotilla stop", { verb: "unknown", given: "stop", nearest: null }],
    [`/flotilla ${"s".repeat(21)}`, { verb: "unknown", given: "s".repeat(21), nearest: null }],
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
    "<!-- \n/flotilla start\n-->",
    "<!-- never closed\n/flotilla start",
    "/flotillas start",
    "@flotilla-two start",
    "thanks @flotilla start",
    "",
  ])("are not in %j", (body) => {
    expect(command(body)).toBeNull();
  });

  const SAID = "/flotilla start";

  it.each([
    ["a fence in a list item", `- one\n  \`\`\`\n  ${SAID}\n  \`\`\``],
    ["a fence in a numbered item", `1. one\n   ~~~\n   ${SAID}\n   ~~~`],
    ["a list item's indented code", `- one\n\n      ${SAID}`],
    ["a list item", `- ${SAID}`],
    ["a quote's fence", `> \`\`\`\n> ${SAID}\n> \`\`\``],
    ["pre", `<pre>\n${SAID}\n</pre>`],
    ["pre with an empty line", `<pre>\n\n${SAID}\n\n</pre>`],
    ["code", `<code>\n${SAID}\n</code>`],
    ["code with empty lines", `<code>\n\n${SAID}\n\n</code>`],
    ["kbd on its line", `<kbd>${SAID}</kbd>`],
    ["blockquote", `<blockquote>\n${SAID}\n</blockquote>`],
    ["blockquote with empty lines", `<blockquote>\n\n${SAID}\n\n</blockquote>`],
    ["details that are shut", `<details><summary>More</summary>\n\n${SAID}\n\n</details>`],
    ["a link's title", `[a](b "\n${SAID}\n")`],
    ["an image's alternative text", `![\n${SAID}\n](b)`],
    ["a definition's title", `[a]: b "\n${SAID}\n"`],
    ["an attribute", `<a title="\n${SAID}\n">x</a>`],
    ["style", `<style>\n${SAID}\n</style>`],
    ["script", `<script>\n${SAID}\n</script>`],
    ["a processing instruction", `<?x\n${SAID}\n?>`],
    ["a declaration", `<!X\n${SAID}\n>`],
    ["CDATA", `<![CDATA[\n${SAID}\n]]>`],
    ["math", `$$\n${SAID}\n$$`],
    ["math on a line", `$\`x\n${SAID}\n\`$`],
    ["a footnote", `text[^1]\n\n[^1]:\n    ${SAID}`],
    ["a footnote alone", `[^1]: ${SAID}`],
    ["a comment that a browser ends earlier", `<!--> <blockquote> -->\n${SAID}`],
    ["a comment with a bang", `<!-- --!> <blockquote> -->\n${SAID}`],
    ["an e-mail reply", `Thanks!\n\nOn Monday Eve wrote:\n${SAID}`],
    ["a heading", `# ${SAID}`],
    ["a table", `| a |\n|---|\n| ${SAID} |`],
    ["emphasis", `**${SAID}**`],
    ["an escaped one", `\\${SAID}`],
    ["a line after a no-break space", `\u00a0${SAID}`],
    ["a line after a byte order mark", `\ufeff${SAID}`],
    ["a line with tag characters behind", `${SAID}\u{e0020}\u{e0063}`],
    ["a line with a zero-width space", `${SAID}\u200b`],
    ["a line that turns round", `${SAID} \u202eved-taef`],
    ["a line after a line separator", `hello\u2028${SAID}`],
  ])("are not carried out in %s", (_where, body) => {
    expect(command(body)?.verb ?? "late").toBe("late");
    expect(command(body.replaceAll(SAID, "@flotilla start"))?.verb ?? "late").toBe("late");
  });

  it.each([
    ["Hello\r\n/flotilla cancel\r\nthanks", "cancel"],
    ["Hello\n\n@flotilla start", "start"],
    ["@flotilla have a look:\n/flotilla pause", "pause"],
    ["a lone ` here\n\n/flotilla pause `", "pause"],
    ["- one\n\n/flotilla retry\n/flotilla cancel", "retry"],
  ])("that stand further down are only named: %j", (body, given) => {
    expect(command(body)).toEqual({ verb: "late", given });
  });

  it.each(["Hello\n/flotilla deploy", "Hello\n@flotilla please", "Hello\n/flotilla"])(
    "further down are nothing where no verb of ours follows: %j",
    (body) => expect(command(body)).toBeNull(),
  );

  it("continue after a fence that was closed", () => {
    expect(command("```\n/flotilla start\n```\n/flotilla pause")).toEqual({ verb: "pause", rest: "" });
  });

  it.each([
    ["> as you said\n\n/flotilla pause", "pause"],
    ["> as you said\n```\n```\n/flotilla pause", "pause"],
    ["<!-- one --><!-- two -->\n\n<!-- three\n\n-->\n/flotilla pause `", "pause"],
    [`${"> quoted\n".repeat(100)}\n/flotilla pause`, "pause"],
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

  it("begin within 4,096 characters, and a line of a dozen quotes hides what comes after it", () => {
    expect(command(`> ${"x".repeat(4000)}\n\n/flotilla pause`)).toMatchObject({ verb: "pause" });
    expect(command(`> ${"x".repeat(4096)}\n\n/flotilla pause`)).toBeNull();
    expect(command(`${"> ".repeat(12)}deep\n\n/flotilla pause`)).toBeNull();
    expect(command(`/flotilla pause\n${"> ".repeat(12)}deep`)).toMatchObject({ verb: "pause" });
  });

  it("begin within 200 lines", () => {
    expect(command(`${"> x\n".repeat(198)}\n/flotilla pause`)).toMatchObject({ verb: "pause" });
    expect(command(`${"> x\n".repeat(199)}\n/flotilla pause`)).toBeNull();
  });

  it("treat other words after the App's name as a message, not as a command", () => {
    expect(read("@flotilla set the width to 5=five")).toEqual({ command: null, mention: true });
    expect(read("@flotilla set ttl=8h").command).toEqual({ verb: "set", rest: "ttl=8h" });
    expect(read("@flotilla cancel now, thanks!").command).toEqual({ verb: "cancel", rest: "now, thanks!" });
    expect(read("@flotilla release.").command).toMatchObject({ verb: "release" });
    expect(read("/flotilla cancel we need it no more").command).toMatchObject({ verb: "cancel" });
    expect(read("@flotilla retry with blue").command).toEqual({ verb: "retry", rest: "with blue" });
    expect(read("/flotilla set ttl 8h").command).toEqual({ verb: "set", rest: "ttl 8h" });
    for (const words of ["release notes are missing", "cancel that last idea", "complete the login form"])
      expect(read(`@flotilla ${words}`)).toEqual({ command: null, mention: true });
    for (const words of ["pause the music", "status is wrong", "why not both", "release-notes"])
      expect(read(`@flotilla ${words}`).command).toBeNull();
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
