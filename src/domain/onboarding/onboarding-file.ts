import type { Settings } from "../settings/settings.ts";
import type { SeenCommand } from "./acceptance.ts";

type Shown = Pick<Settings, "roles" | "evidence" | "review" | "merge" | "branches" | "limits">;

const HEAD = [
  "# How Flotilla works in this repository. It is read from the default branch only, and from no other.",
  "# A line without a number sign is in force once this file is merged. Behind a number sign stands what is in force",
  "# anyway, as the operator's configuration said when this file was proposed: take the sign away to set it here.",
];

/**
 * Returns the text of the proposed file: what the repository itself suggests is in force, all other settings are
 * comments. Where the operator has acceptance commands, those stay in force and the suggested ones are comments, too.
 */
export function proposedFile(
  settings: Shown,
  seen: { readonly run: readonly SeenCommand[]; readonly also: readonly SeenCommand[] },
): string {
  const { roles, review, merge, branches, limits } = settings;
  const parts = [
    HEAD,
    evidence(settings.evidence, seen),
    [
      "# What starts which role. A role that is not named here stays as it is.",
      ...asComment([
        "roles:",
        ...[...roles.values()].flatMap(({ name, triggers }) => [
          `  ${name}:`,
          triggers.length === 0 ? "    triggers: []" : "    triggers:",
          ...triggers.map(({ event, label }) =>
            label === undefined
              ? `      - { event: ${event} }`
              : `      - { event: ${event}, label: ${quoted(label)} }`,
          ),
        ]),
      ]),
    ],
    [
      "# Agents that review agents.",
      ...asComment([
        "review:",
        `  required: ${review.required}`,
        `  reviewers: ${review.reviewers}`,
        `  max_cycles: ${review.maxCycles}`,
      ]),
    ],
    [
      "# How pull requests are merged.",
      ...asComment(["merge:", `  auto: ${merge.auto}`, `  method: ${merge.method}`]),
    ],
    ["# Names of agents' branches.", ...asComment([`branches: ${quoted(branches)}`])],
    ["# Limits of one agent. Here they can only be lowered.", ...asComment(breakers(limits.defaults))],
  ];
  return `${parts.map((part) => part.join("\n")).join("\n\n")}\n`;
}

function evidence(
  { commands, timeoutMs, maxBounces, requiredChecks }: Settings["evidence"],
  { run, also }: Parameters<typeof proposedFile>[1],
): readonly string[] {
  const head = [
    "# What an agent must show before its work counts as done: each command ends with 0, run by the host on a clean",
    "# checkout of the agent's commit, confined and without network.",
  ];
  const rest = asComment([
    `  timeout: ${span(timeoutMs)}`,
    `  max_bounces: ${maxBounces}`,
    `  required_checks: [${requiredChecks.map(quoted).join(", ")}]`,
  ]);
  if (commands.length > 0 || run.length === 0) {
    const own = commands.map((command) => `    - ${quoted(command)}`);
    const seen = [...run, ...also].map(commandLine);
    const none = own.length + seen.length === 0;
    const list = none ? ["  commands: []"] : ["  commands:", ...own, ...seen];
    return [...head, ...asComment(["evidence:", ...list]), ...rest];
  }
  return [
    ...head,
    "evidence:",
    "  commands:",
    ...run.map(commandLine),
    ...asComment(also.map(commandLine)),
    ...rest,
  ];
}

const commandLine = ({ command, why }: SeenCommand) => `    - ${command} # ${why}`;

function breakers(limits: Settings["limits"]["defaults"]): readonly string[] {
  return [
    "circuit_breakers:",
    "  defaults:",
    `    max_active_duration: ${span(limits.maxActiveDurationMs)}`,
    `    max_iterations: ${limits.maxIterations}`,
    `    max_tool_calls: ${limits.maxToolCalls}`,
    `    max_turns: ${limits.maxTurns}`,
    `    max_sleep_duration: ${span(limits.maxSleepDurationMs)}`,
    `    max_tokens: ${limits.maxTokens}`,
    `    max_cost_usd: ${limits.maxCostUsd ?? "off"}`,
  ];
}

const asComment = (lines: readonly string[]) => lines.map((line) => `# ${line}`);

/** Quotes a text: every JSON string is a YAML string. */
const quoted = (text: string) => JSON.stringify(text);

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
] as const;

/** Returns a duration as the configuration writes it: `90s`, `15m`, `2h`, `7d`. */
function span(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms % each === 0) ?? ["s", 1000];
  return `${ms / size}${unit}`;
}
