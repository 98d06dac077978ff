import { WORDS as WORDS_000 } from "./000/words.ts";
import { WORDS as WORDS_001 } from "./001/words.ts";
import { DISAGREEMENTS } from "./disagreements.ts";
import { wordsSection } from "./words.ts";
import { WORDS_002, WORDS_003, WORDS_004 } from "./words-002-003-004.ts";

const HEADING = "## The words of the sources";

const SECTIONS = [
  wordsSection("Document 000: the lifecycle of one execution", WORDS_000),
  wordsSection("Document 001: the board of a team of agents", WORDS_001),
  wordsSection("Document 002: the states of an autonomous agent", WORDS_002),
  wordsSection("Document 003: the sessions of a runtime", WORDS_003),
  wordsSection("Document 004: from an issue to an agent", WORDS_004),
];

/** The end of docs/lifecycles.md, made from what the conformance suites walk. */
function sourcesPart(): string {
  return [
    HEADING,
    "",
    "The lifecycles follow five documents. Each has a suite in `test/conformance/` that walks every move it allows and",
    "shows a refusal for every move it forbids. From here on this file is made from those suites:",
    "`npx vitest run test/conformance/sources-in-docs.test.ts -u` renews it.",
    "",
    ...SECTIONS,
    "## Where the sources disagree",
    "",
    "| question | here |",
    "|---|---|",
    ...Object.values(DISAGREEMENTS).map(({ question, ruling }) => `| ${question} | ${ruling} |`),
    "",
  ].join("\n");
}

/** `text` with its end renewed; what stands before the heading is kept. */
export function withSources(text: string): string {
  const [before = ""] = text.split(HEADING);
  return `${before.trimEnd()}\n\n${sourcesPart()}`;
}
