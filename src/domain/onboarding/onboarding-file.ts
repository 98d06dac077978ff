import type { Settings } from "../settings/settings.ts";
import type { SeenCommand } from "./repository-top.ts";
import { hostsOf, type SeenRepository, setupTakesEffect, unpermittedHosts } from "./seen-repository.ts";
import { isInForce } from "./trial.ts";

type Work = Pick<Settings, "setup" | "evidence" | "registries" | "sandbox">;
type Shown = Work & Pick<Settings, "roles" | "review" | "merge" | "branches" | "limits">;

const HEAD = [
  "# How Flotilla works in this repository. It is read from the default branch only, and from no other.",
  "# A line without a number sign is in force once this file is merged. Behind a number sign stands what is in force",
  "# anyway, as the operator's configuration said when this file was proposed: take the sign away to set it here.",
];

const HEAD_OF_MISSED = [
  "# A command that did not succeed when Flotilla tried it stands behind a sign, too, and is not in force.",
];

/**
 * Returns the text of the proposed file: what the repository itself suggests is in force, all other settings are
 * comments. Where the operator has commands, those stay in force and the suggested ones are comments, too. So are
 * commands that did not succeed when they were tried: the file may be merged, and holds up no agent.
 */
export function proposedFile(settings: Shown, seen: SeenRepository): string {
  const { roles, review, merge, branches, limits } = settings;
  const parts = [
    [...HEAD, ...([...seen.setup, ...seen.run].every(isInForce) ? [] : HEAD_OF_MISSED)],
    ...workParts(settings, seen),
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
  return joined(parts);
}

/** Returns the part of the proposed file that says how a checkout is prepared and tested. */
export function proposedWork(settings: Work, seen: SeenRepository): string {
  return joined(workParts(settings, seen));
}

const joined = (parts: readonly (readonly string[])[]) =>
  `${parts.map((part) => part.join("\n")).join("\n\n")}\n`;

const workParts = (settings: Work, seen: SeenRepository) => [
  setup(settings, seen),
  evidence(settings.evidence, seen),
];

function setup(settings: Work, seen: SeenRepository): readonly string[] {
  const head = [
    "# What prepares each checkout, before an agent's first turn and before what it must show. It runs confined, and",
    "# reaches these hosts alone.",
  ];
  if (seen.setup.length === 0)
    return [
      ...head,
      "# At the top of this repository stands no lock file and no manifest that Flotilla knows, so nothing is proposed.",
    ];
  const hosts = hostsOf(seen.setup, settings);
  const caches = [...new Set(seen.setup.flatMap(({ cache }) => cache))];
  const written = [
    "setup:",
    "  commands:",
    ...commandLines(seen.setup),
    `  network: [${hosts.join(", ")}]`,
    `  cache: [${caches.join(", ")}]`,
  ];
  if (!settings.setup.repositoriesMay.commands)
    return [
      ...head,
      "# The operator lets no repository name setup commands, so what this one suggests is not a setting here:",
      ...written.map((line) => `#   ${line}`),
    ];
  if (!setupTakesEffect(settings, seen))
    return [
      ...head,
      `# The operator's commands stay in force (${settings.setup.commands.map(quoted).join(", ")}).`,
      "# This repository suggests these in their place:",
      ...asComment(written),
    ];
  const unpermitted = unpermittedHosts(hosts, settings);
  return [
    ...head,
    ...(unpermitted.length === 0
      ? []
      : [
          `# The operator does not permit ${unpermitted.join(", ")} yet: until`,
          "# setup.repositories_may.hosts has them in the operator's configuration, these commands do not reach them.",
        ]),
    ...(seen.setup.some(isInForce) ? written : asComment(written)),
  ];
}

function evidence(
  { commands, timeoutMs, maxBounces, requiredChecks }: Settings["evidence"],
  { run, also }: SeenRepository,
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
  const set = ["evidence:", "  commands:", ...commandLines(run)];
  return [
    ...head,
    ...(run.some(isInForce) ? set : asComment(set)),
    ...asComment(also.map(commandLine)),
    ...rest,
  ];
}

/**
 * Returns the items of a list. Those that did not succeed are comments, unless all are, since then the whole list is one.
 * The reason remains a comment when the sign before it is taken away.
 */
function commandLines(commands: readonly SeenCommand[]): readonly string[] {
  const isList = commands.some(isInForce);
  return commands.flatMap((one) => {
    if (one.inTrial === undefined) return [commandLine(one)];
    const lines = [`    # When it was tried: ${one.inTrial}.`, commandLine(one)];
    return isList ? asComment(lines) : lines;
  });
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
