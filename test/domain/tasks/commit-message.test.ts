import { expect, it } from "vitest";
import { commitMessage, type Provenance } from "../../../src/domain/tasks/commit-message.ts";

const provenance: Provenance = {
  agent: "acme/shop:feat-dev-issue-42",
  runId: 7,
  model: "gpt-5",
  coAuthoredBy: null,
  signedOffBy: null,
};
const OURS = "Flotilla-Run: acme/shop:feat-dev-issue-42/7\nModel: gpt-5";
const of = (words: string) => commitMessage(words, provenance);

it("the host's trailers stand at the end, a paragraph of their own", () => {
  expect(of("Add a lamp")).toBe(`Add a lamp\n\n${OURS}`);
  expect(of("Add a lamp\n\nIt was dark.\n\n")).toBe(`Add a lamp\n\nIt was dark.\n\n${OURS}`);
});

it("they join trailers that the agent wrote, so that git reads one block", () => {
  expect(of("Add a lamp\n\nFixes: #3\n  and #4")).toBe(`Add a lamp\n\nFixes: #3\n  and #4\n${OURS}`);
});

it("a signing off is the bot's, where it is asked for", () => {
  const signedOffBy = "flotilla[bot] <1+flotilla[bot]@users.noreply.github.com>";
  expect(commitMessage("Add a lamp", { ...provenance, signedOffBy })).toBe(
    `Add a lamp\n\n${OURS}\nSigned-off-by: ${signedOffBy}`,
  );
});

it("whoever asked for the work is named, and nobody else", () => {
  const coAuthoredBy = "alice <7+alice@users.noreply.github.com>";
  const words =
    "Add a lamp\n\nCo-authored-by: Bob <bob@example.com>\nCo-Authored-By: alice <other@example.com>";
  expect(commitMessage(words, { ...provenance, coAuthoredBy })).toBe(
    `Add a lamp\n\n${OURS}\nCo-authored-by: ${coAuthoredBy}`,
  );
});

it.each([
  ["in its last paragraph", "Add a lamp\n\nFlotilla-Run: acme/shop:other/1\nMODEL : gpt-9"],
  ["with lines that continue", "Add a lamp\n\nFlotilla-Run: acme/shop:\n  other/1\n\tmore"],
  [
    "with line ends of another system",
    "Add a lamp\r\n\r\nModel: gpt-9\r\nSigned-off-by: Ada <ada@example.com>",
  ],
])("none of them can be forged %s", (_, words) => {
  expect(of(words)).toBe(`Add a lamp\n\n${OURS}`);
});

it("one that stands further up is dropped too, and what is around it is kept", () => {
  expect(of("Add a lamp\n\nModel: gpt-9\nIt was dark.\n\nAnd cold.")).toBe(
    `Add a lamp\n\nIt was dark.\n\nAnd cold.\n\n${OURS}`,
  );
});

it("a subject that looks like a trailer is a subject", () => {
  expect(of("Model: rename a field")).toBe(`Model: rename a field\n\n${OURS}`);
  expect(of("")).toBe(`\n\n${OURS}`);
});
