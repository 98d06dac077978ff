import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Notice } from "../../../src/domain/notices/notice.ts";
import { noticeMessage } from "../../../src/domain/notices/notice-message.ts";
import { plainText } from "../../../src/domain/notices/plain-text.ts";

const aNotice = (more: Partial<Notice> = {}): Notice => ({
  event: "ready",
  at: Date.parse("2026-01-10T12:00:00Z"),
  repository: "acme/shop",
  issue: 12,
  title: "Add a licence",
  text: "Ready for review: #5. Review it, and merge it when you are happy.",
  url: "https://github.com/acme/shop/pull/5",
  page: null,
  ...more,
});

const slack = (...notices: readonly Notice[]) =>
  z.object({ text: z.string() }).parse(JSON.parse(noticeMessage("slack", notices))).text;
const discord = (...notices: readonly Notice[]) =>
  z
    .object({ content: z.string(), allowed_mentions: z.object({ parse: z.array(z.string()).length(0) }) })
    .parse(JSON.parse(noticeMessage("discord", notices))).content;

it("links the issue's name in Slack, with the title and what the reader can do", () => {
  expect(slack(aNotice())).toBe(
    "*<https://github.com/acme/shop/pull/5|acme/shop#12>* Add a licence\nReady for review: #5. Review it, and merge it when you are happy.",
  );
});

it("links the agent's page where there is one", () => {
  const page = "https://flotilla.example.com/agents/acme%2Fshop%3Afeat-dev-issue-12";
  expect(slack(aNotice({ page }))).toMatch(
    /happy\. <https:\/\/flotilla\.example\.com\/agents\/[^|]*\|Open the agent>$/,
  );
  expect(discord(aNotice({ page }))).toContain(` [Open the agent](<${page}>)`);
});

it("lets no text link, mention or end a link in Slack", () => {
  const text = slack(aNotice({ title: "<!channel> <https://evil.test|here> &amp;", text: "<@U1> *now*" }));
  expect(text.replace(/^\*<[^>]*>\*/, "")).not.toMatch(/[<>]/);
  expect(text).toContain("&lt;!channel&gt;");
});

it("writes in Discord what no text of a person or model can change into a link, heading or mention", () => {
  const text = discord(
    aNotice({ title: "[here](https://evil.test) **now** `x` <@1>", text: "# Big\n> quote" }),
  );
  const links: string[] = [];
  const walk = (
    node: ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number],
  ) => {
    if (node.type === "link") links.push(node.url);
    if (node.type === "heading" || node.type === "blockquote" || node.type === "inlineCode")
      links.push(node.type);
    if ("children" in node) node.children.forEach(walk);
  };
  walk(fromMarkdown(text));
  expect(links).toEqual(["https://github.com/acme/shop/pull/5"]);
});

it("counts what does not fit into one message", () => {
  const many = Array.from({ length: 50 }, (_, index) => aNotice({ issue: index + 1 }));
  for (const text of [slack(...many), discord(...many)]) {
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/\n\nAnd \d+ more\.$/);
  }
});

it("cuts a single text that is too long for Discord", () => {
  expect(discord(aNotice({ text: "x ".repeat(3_000) })).length).toBeLessThanOrEqual(2_000);
  expect(discord(aNotice({ title: "(".repeat(3_000) })).length).toBeLessThanOrEqual(2_000);
});

it.each([
  ["**Ready for review: #5.** Review it.", "Ready for review: #5. Review it."],
  ["say `/flotilla answer <text>`", "say /flotilla answer <text>"],
  ["snake\\_case and \\<b>", "snake_case and <b>"],
  ["[link](https://github.com) &lt;b>", "link <b>"],
])("shows %j as plain text", (markdown, shown) => {
  expect(plainText(markdown)).toBe(shown);
});
