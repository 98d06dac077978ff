import type { AgentPage } from "../agents/agent-page.ts";
import { dollars } from "../breakers/money.ts";
import { changedText, type ScreenRow } from "../evidence/screens.ts";
import type { GivenFile } from "../instructions/given-file.ts";
import { commitLink } from "../messages/commit-link.ts";
import { oneLine } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { unlessClosed } from "../messages/own-comment.ts";
import type { ShownPicture } from "../pictures/shown-picture.ts";
import type { Base } from "./task-record.ts";

/** The markers around the host's part of a pull request's body; edits between them are overwritten, all others stay. */
const BEGIN = "<!-- facts by Flotilla: begin -->";
const END = "<!-- facts by Flotilla: end -->";
const ANY = /<!--\s*facts by Flotilla[^>]*>?/gi;

/** Files and commands that are named at most; the rest is counted. */
const MOST = 20;

/** What the host itself knows about the work in one pull request. */
export interface PullFactsShown {
  readonly issue: number;
  /** Who asked for the work, without `@`; null for nobody on GitHub. */
  readonly askedBy: string | null;
  /** See `Base`. */
  readonly base: Base;
  readonly role: string;
  /** Null before the first push. */
  readonly commit: string | null;
  /** As git lists them at first, then as GitHub does; null where they are not known. */
  readonly files: readonly string[] | null;
  readonly protectedFiles: readonly string[];
  /** The instructions and skills that the authors were shown, and those that they were not. */
  readonly instructions: readonly Pick<GivenFile, "path" | "blob" | "note" | "skill">[];
  /** Its full name. */
  readonly repository: string;
  /** The pictures that the authors were shown. */
  readonly pictures: readonly ShownPicture[];
  /** What may weaken the tests in that commit, and who approved it; null where nothing does, or nobody looked yet. */
  readonly tests: {
    readonly summary: string;
    readonly findings: readonly string[];
    readonly approvedBy: string | null;
  } | null;
  /** Setup and acceptance commands that the host ran, oldest first. */
  readonly commands: readonly {
    readonly command: string;
    /** Null for a command that a signal or its time limit ended. */
    readonly exitCode: number | null;
    readonly commit: string | null;
    /** It is one of those that decide whether the work is done. */
    readonly isAcceptance: boolean;
  }[];
  /** Acceptance commands are configured. */
  readonly isChecked: boolean;
  /** What pictures of the app at that commit show. */
  readonly screens: readonly Pick<ScreenRow, "page" | "size" | "beforeFault" | "afterFault" | "changed">[];
  readonly costMicroUsd: number;
  readonly turns: number;
  /** Each with its version, where that is known. */
  readonly runtimes: readonly string[];
  readonly models: readonly string[];
  /** See `runName`. */
  readonly run: string;
  /** Of the agent whose run it is. */
  readonly page: AgentPage | null;
}

/**
 * Returns the host's facts, then the agent's text under a heading of its own; that text can neither hide nor imitate
 * the facts.
 */
export function bodyWithFacts(words: string, facts: PullFactsShown): string {
  const said = words.replaceAll(ANY, unlessClosed).trim();
  return [factsBlock(facts), "", `### Summary by the agent (${facts.role})`, "", said].join("\n");
}

/**
 * Returns what of the facts makes the body worth another edit, as one text. Left out: cost, which grows with each turn; the
 * files, which are those of the commit; and, until the body names their first results, acceptance commands, whose results
 * the status comment has.
 */
export function factsThatMatter(facts: PullFactsShown, shown: { readonly acceptance: boolean }): string {
  const { commands } = facts;
  return factsBlock({
    ...facts,
    costMicroUsd: 0,
    turns: 0,
    files: null,
    protectedFiles: [],
    commands: shown.acceptance ? commands : commands.filter(({ isAcceptance }) => !isAcceptance),
  });
}

/** Returns whether the facts name results of acceptance commands. */
export function showsAcceptance({ commands }: Pick<PullFactsShown, "commands">): boolean {
  return commands.some(({ isAcceptance }) => isAcceptance);
}

/** Returns the body with the present facts; null where nothing changes, or where somebody removed the block. */
export function renewedBody(body: string, facts: PullFactsShown): string | null {
  const start = body.indexOf(BEGIN);
  const end = body.indexOf(END, start);
  if (start < 0 || end < 0) return null;
  const old = body.slice(start, end + END.length);
  const block = factsBlock(facts);
  if (old.replaceAll("\r\n", "\n") === block) return null;
  return body.slice(0, start) + block + body.slice(end + END.length);
}

function factsBlock(facts: PullFactsShown): string {
  const { issue, base, commit, protectedFiles, runtimes, models, turns } = facts;
  return [
    BEGIN,
    "### Verified by Flotilla",
    "",
    `- Issue: #${issue}${facts.askedBy === null ? "" : `, asked for by @${facts.askedBy}`}`,
    ...(base === null
      ? []
      : [
          `- Goes to ${inlineCode(base)}: Flotilla closes #${issue} once this is merged, because GitHub does not`,
        ]),
    ...(commit === null ? [] : [`- Commit: ${commitLink(facts.repository, commit)}`]),
    `- Run: ${facts.page === null ? `\`${facts.run}\`` : `[\`${facts.run}\`](${facts.page.url})`}, runtime ${codes(runtimes)}, model ${codes(models)}`,
    `- Used until this was written: ${turns} turns, ${dollars(facts.costMicroUsd)}`,
    ...fileLines(facts.files),
    `- Protected paths touched: ${protectedFiles.length === 0 ? "none" : bounded(protectedFiles.map((one) => inlineCode(one))).join(", ")}`,
    ...instructionLines(facts.instructions.filter(({ skill }) => skill === undefined)),
    ...skillLines(facts.instructions.filter(({ skill }) => skill !== undefined)),
    ...pictureLines(facts),
    ...testLines(facts.tests),
    ...commandLines(facts),
    ...screenLines(facts),
    "",
    "<sub>Flotilla writes this part, and updates it after each push. The agent wrote the text below.</sub>",
    END,
  ].join("\n");
}

const codes = (words: readonly string[]): string => words.map((one) => inlineCode(one)).join(", ");

function fileLines(files: readonly string[] | null): readonly string[] {
  if (files === null) return [];
  return [
    `- Files changed: ${files.length}`,
    ...bounded(files.map((one) => inlineCode(one))).map((file) => `  - ${file}`),
  ];
}

function instructionLines(files: PullFactsShown["instructions"]): readonly string[] {
  if (files.length === 0) return [];
  return [
    "- Instructions of the repository, as of the base commit:",
    ...bounded(files.map(givenLine)).map((line) => `  - ${line}`),
  ];
}

function skillLines(skills: PullFactsShown["instructions"]): readonly string[] {
  if (skills.length === 0) return [];
  const lines = skills.map((one) => `${givenLine(one)}${one.skill === "operator" ? ", the operator's" : ""}`);
  return [
    "- Skills, those of the repository as of the base commit:",
    ...bounded(lines).map((line) => `  - ${line}`),
  ];
}

function givenLine({ path, blob, note }: PullFactsShown["instructions"][number]): string {
  return `${inlineCode(path)} ${blob.slice(0, 7)}${note === null ? "" : `: ${oneLine(note)}`}`;
}

function pictureLines({ pictures, repository }: PullFactsShown): readonly string[] {
  if (pictures.length === 0) return [];
  const lines = pictures.map(({ alternative, asset, hash, place }) => {
    const where =
      place.kind === "issue"
        ? `#${place.number}`
        : `[a comment](/${repository}/issues/${place.number}#issuecomment-${place.id})`;
    return `${inlineCode(alternative === "" ? asset : alternative)} ${hash.slice(0, 7)}, in ${where}`;
  });
  return [
    "- Pictures that the agent was shown, with the SHA-256 of their files:",
    ...bounded(lines).map((line) => `  - ${line}`),
  ];
}

function testLines(tests: PullFactsShown["tests"]): readonly string[] {
  if (tests === null) return [];
  const approved = tests.approvedBy === null ? "not approved" : `approved by ${inlineCode(tests.approvedBy)}`;
  return [
    `- Tests weakened: ${tests.summary}, ${approved}`,
    ...bounded(tests.findings.map((one) => inlineCode(one))).map((finding) => `  - ${finding}`),
  ];
}

function commandLines(facts: PullFactsShown): readonly string[] {
  const { commands, repository, issue } = facts;
  const later =
    facts.isChecked && !showsAcceptance(facts)
      ? `when the agent says that it is done, and Flotilla's first comment on #${issue} shows what they return`
      : null;
  if (commands.length === 0)
    return [
      `- Commands run by Flotilla: none when this was written${later === null ? "" : `; those that check the work run ${later}`}`,
    ];
  const lines = commands.map(({ command, exitCode, commit }) => {
    const on = commit === null ? "" : ` on ${commitLink(repository, commit)}`;
    return `  - ${inlineCode(command)}: ${exitCode === null ? "cut off" : `exit ${exitCode}`}${on}`;
  });
  // The latest runs show the present state.
  const shown = lines.slice(-MOST);
  const more = lines.length - shown.length;
  return [
    "- Commands run by Flotilla:",
    ...(more === 0 ? [] : [`  - ${more} earlier ones`]),
    ...shown,
    ...(later === null ? [] : [`  - those that check the work: they run ${later}`]),
  ];
}

function screenLines({ screens, page }: PullFactsShown): readonly string[] {
  if (screens.length === 0) return [];
  const all = page === null ? "Pictures of the app" : `[Pictures of the app](${page.url}#screens)`;
  return [
    `- ${all}, before and after:`,
    ...screens.map((one) => `  - ${one.page}, ${one.size}: ${screenText(one)}`),
  ];
}

/** Reasons are cut, and set as code: they quote the app. */
function screenText(screen: PullFactsShown["screens"][number]): string {
  const fault = screen.afterFault ?? screen.beforeFault;
  if (fault === null) return changedText(screen);
  const which = screen.afterFault === null ? "no picture of it before" : "no picture";
  return `${which}: ${inlineCode(oneLine(fault))}`;
}

function bounded(items: readonly string[]): readonly string[] {
  return items.length <= MOST ? items : [...items.slice(0, MOST), `and ${items.length - MOST} more`];
}
