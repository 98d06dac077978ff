import { listAt, textAt } from "./call-input.ts";

/** A tool call in one line: what was done, to what, and how it ended. */
export interface CallLine {
  /** Such as "ran" or "edited"; a sentence goes on with `code`, then `words`. */
  readonly verb: string;
  /** A command, a path or a name; empty where there is none. */
  readonly code: string;
  /** Text of the model; empty where there is none. */
  readonly words: string;
}

type Line = readonly [verb: string, code?: string, words?: string];
type Reader = (input: string) => Line;

const read: Reader = (input) => ["read", textAt(input, "path", "file_path", "absolute_path", "filePath")];
const wrote: Reader = (input) => ["wrote", textAt(input, "path", "file_path", "filePath")];
const edited: Reader = (input) => ["edited", textAt(input, "path", "file_path", "filePath")];
const ran: Reader = (input) => ["ran", oneLine(textAt(input, "command", "cmd"))];
const looked: Reader = () => ["read the output of a running command"];
const searched: Reader = (input) => [
  "searched for",
  textAt(input, "pattern", "query"),
  inPlace(textAt(input, "path", "dir_path")),
];
const listed: Reader = (input) => ["listed", textAt(input, "pattern", "path", "dir_path") || "."];
const patched: Reader = (input) => ["edited", patchedFiles(input).join(", ") || "files"];
const fetched: Reader = (input) => ["fetched", textAt(input, "url", "query")];

/** How each known tool is told: the runtimes' own ones, then those of Flotilla. */
const READERS = new Map<string, Reader>(
  Object.entries({
    bash: ran,
    exec_command: ran,
    run_shell_command: ran,
    shell: ran,
    read_bash: looked,
    taskoutput: looked,
    write_stdin: looked,
    read_background_output: looked,
    list_bash: () => ["listed the running commands"],
    list_background_processes: () => ["listed the running commands"],
    stop_bash: () => ["stopped a running command"],
    taskstop: () => ["stopped a running command"],
    view: read,
    read,
    read_file: read,
    view_image: read,
    create: wrote,
    write: wrote,
    write_file: wrote,
    edit: edited,
    replace: edited,
    apply_patch: patched,
    grep: searched,
    rg: searched,
    grep_search: searched,
    glob: listed,
    list: listed,
    list_directory: listed,
    web_fetch: fetched,
    webfetch: fetched,
    web_search: fetched,
    websearch: fetched,
    report_intent: (input) => ["said what it does:", "", textAt(input, "intent")],
    submit_plan: (input) => ["submitted its plan:", "", textAt(input, "plan")],
    report_blocked: (input) => [
      `reported that it is blocked${named(" by #", textAt(input, "blocker_issue"))}:`,
      "",
      textAt(input, "reason"),
    ],
    report_complete: (input) => ["reported that it is done:", "", textAt(input, "summary")],
    request_review: (input) => ["asked for a review:", "", textAt(input, "summary")],
    escalate_to_human: (input) => ["asked for a person:", "", textAt(input, "question", "reason")],
    ask_human: (input) => [
      `asked ${named("@", textAt(input, "who").replace(/^@/, "")) || "people"}:`,
      "",
      textAt(input, "question"),
    ],
    write_handoff: (input) => ["wrote a handoff:", "", textAt(input, "summary")],
    commit: (input) => ["committed", "", `“${firstLine(textAt(input, "message"))}”`],
    restore_files: (input) => ["restored", listAt(input, "paths", "path").join(", ")],
    open_pr: (input) => ["opened a pull request:", "", textAt(input, "title")],
    comment: (input) => ["commented:", "", textAt(input, "body")],
    label: (input) => ["set the label", textAt(input, "name")],
    create_blocker_issue: (input) => ["opened an issue that blocks it:", "", textAt(input, "title")],
    create_sub_issue: (input) => ["opened a sub-issue:", "", textAt(input, "title")],
    read_issue: (input) => ["read", "", named("issue #", textAt(input, "number")) || "its issue"],
    read_pr: (input) => ["read", "", named("pull request #", textAt(input, "number")) || "its pull request"],
    search_issues: (input) => ["searched the issues for", textAt(input, "query")],
    check_for_events: () => ["looked for news"],
    submit_verdict: (input) => [
      textAt(input, "verdict") === "approve" ? "approved the work:" : "asked for changes:",
      "",
      textAt(input, "body"),
    ],
    submit_triage: (input) => [
      "gave its triage",
      "",
      both(textAt(input, "outcome").replaceAll("_", " "), textAt(input, "reason")),
    ],
    propose_lesson: (input) => ["proposed a lesson:", "", textAt(input, "line")],
    submit_evaluation: (input) => ["gave its evaluation:", "", textAt(input, "reason")],
    finalize_plan: () => ["finalized the plan"],
    rescope_task: (input) => ["changed the task of", "", about(input)],
    supersede_task: (input) => ["replaced the task of", "", about(input)],
    list_fleet: () => ["listed the agents"],
    get_my_status: () => ["read its own status"],
  } satisfies Readonly<Record<string, Reader>>),
);

/** Returns a call as people read it. `tool` is the name that the runtime gave; a tool of an MCP server keeps its name. */
export function callLine(tool: string, input: string): CallLine {
  const reader = READERS.get(tool.toLowerCase().replace(/^mcp_+flotilla_+/, ""));
  const [verb, code = "", words = ""] = reader?.(input) ?? ["called", tool];
  return { verb, code: oneLine(code), words: oneLine(words) };
}

/** The verbs of calls that take a while, as they are told before the call has ended. */
const UNDER_WAY = new Map([
  ["ran", "running"],
  ["read", "reading"],
  ["wrote", "writing"],
  ["edited", "editing"],
  ["searched for", "searching for"],
  ["listed", "listing"],
  ["fetched", "fetching"],
  ["committed", "committing"],
  ["called", "calling"],
]);

/** Returns the verb of a call; before it has ended, so that it does not sound as if it had. */
export function verbOf({ verb }: CallLine, status: string): string {
  const isOpen = status === "pending" || status === "running";
  return isOpen ? (UNDER_WAY.get(verb) ?? verb) : verb;
}

/**
 * Returns the text with paths relative to the agent's worktree, on whatever machine that was. `agent` is the agent's
 * name.
 */
export function withoutWorktree(text: string, agent: string): string {
  const name = agent.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replaceAll(
    new RegExp(`(?:/[\\w.-]+)+/worktrees/\\d+/${name}(?:\\.checkout)?(?![\\w.-])(/?)`, "g"),
    (_, slash) => (slash === "/" ? "" : "."),
  );
}

/** Where each runtime puts the exit code: at the end, before the output, or on a line of its own behind it. */
const EXIT_CODES = [
  /<shellId: \S+ completed with exit code (\d+)>\s*$/,
  /^exit code:? (\d+)(?=\s|$)/i,
  /^(?:(?!Output:).*\n){0,4}Process exited with code (\d+)\n/,
  /\nExit Code: (\d+)(?:\n(?:Error|Signal|Background PIDs|Process Group PGID): .*)*\s*$/,
];

/** Returns the exit code that the output of a command names; null where it names none. */
export function exitCodeIn(output: string): number | null {
  for (const pattern of EXIT_CODES) {
    const code = pattern.exec(output)?.[1];
    if (code !== undefined) return Number(code);
  }
  return null;
}

/** Returns the output without the line in which the runtime names the exit code. */
export function outputText(output: string): string {
  return output.replace(/\n?<shellId: \S+ completed with exit code \d+>\s*$/, "").trim();
}

/** Returns how a call ended, in words; empty for a success that needs no word. */
export function callEnd(verb: string, status: string, output: string | null): string {
  const code = verb === "ran" && output !== null ? exitCodeIn(output) : null;
  if (code !== null) return `exit ${code}`;
  switch (status) {
    case "failure":
      return "failed";
    case "success":
      return made(verb, output ?? "");
    default:
      return status;
  }
}

/** Returns the short id of a commit, or the number of a pull request, that the call made. */
function made(verb: string, output: string): string {
  if (verb === "committed") return /\b[0-9a-f]{40}\b/.exec(output)?.[0].slice(0, 7) ?? "";
  return verb.startsWith("opened ") ? (/#\d+/.exec(output)?.[0] ?? "") : "";
}

function patchedFiles(input: string): readonly string[] {
  const patch = textAt(input, "input", "patch", "patchText") || input.replaceAll("\\n", "\n");
  const found = patch.matchAll(/^"?\*\*\* (?:Add|Update|Delete) File: *(.+)$/gm);
  const files = [...found].map(([, path = ""]) => path.trim());
  return files.length > 0 ? files : [textAt(input, "path")].filter((path) => path !== "");
}

function about(input: string): string {
  return both(named("#", textAt(input, "issue")), textAt(input, "reason"));
}

function named(before: string, name: string): string {
  return name === "" ? "" : `${before}${name}`;
}

function both(one: string, other: string): string {
  return [one, other].filter((text) => text !== "").join(": ");
}

function inPlace(path: string): string {
  return path === "" ? "" : `in ${path}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
