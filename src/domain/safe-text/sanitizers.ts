import { safeLine } from "./inline.ts";
import { safeMarkdown } from "./safe-markdown.ts";
import { safePlain, safeTitle } from "./safe-plain.ts";
import { withoutHiddenCharacters } from "./without-hidden-characters.ts";

/** Where an agent's texts appear. */
export interface Speaker {
  /** Origin of the GitHub server. */
  readonly site: string;
  /** The agent's own issue, which its pull request may close. */
  readonly issue: number;
}

/** Characters. Leaves room for the host's facts and the plan in the 65,536 of a pull request. */
const LONGEST_PULL_BODY = 40_000;

/** Make an agent's text safe for the place where it is shown. A tool names one for each text argument. */
export const sanitizers = {
  /** Markdown on GitHub: mentions nobody and closes nothing. */
  markdown: (text: string, { site }: Speaker) => safeMarkdown(text, { site, closes: null }),
  /** Markdown on one line, which may stand after words of the host. */
  line: (text: string, { site }: Speaker) => safeLine(text, { site, closes: null }),
  /** Markdown that may close the agent's own issue. */
  pullBody: (text: string, { site, issue }: Speaker) =>
    safeMarkdown(text, { site, closes: issue }, LONGEST_PULL_BODY),
  pullTitle: (text: string, { issue }: Speaker) => safeTitle(text, issue),
  commitMessage: (text: string, { issue }: Speaker) => safePlain(text, issue),
  issueTitle: (text: string) => safeTitle(text, null),
  /** A label or a name, on one line. */
  name: (text: string) => withoutHiddenCharacters(text).replace(/\s+/g, " ").trim(),
  names: (texts: readonly string[]) => texts.map(sanitizers.name),
  /** For a code block, or for models only. */
  visible: (text: string) => withoutHiddenCharacters(text),
  /** For values that are compared, matched by a pattern, or shown as code: unchanged. */
  exact: <T>(value: T): T => value,
} as const;
