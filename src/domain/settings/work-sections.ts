import { z } from "zod";
import { isHostName } from "../access/host-name.ts";
import { patternFault } from "../evidence/protected-paths.ts";
import { MOST_LISTED } from "../instructions/instruction-files.ts";
import { duration } from "./duration.ts";
import { environmentVariables } from "./environment-variables.ts";
import { section, setting } from "./keys.ts";
import { reusedDirectories } from "./reused-directories.ts";
import { screens } from "./screens-setting.ts";

const GIB = 1024 ** 3;

const texts = () => z.array(z.string().min(1));

const hosts = () =>
  z.array(
    z.string().refine(isHostName, {
      error:
        "write the whole name of a host in small letters, such as registry.npmjs.org; no address, port, path or *, and no host of this machine or its network",
    }),
  );

export const commits = section("commits", "What agents' commits contain.", {
  signOff: setting("sign_off", z.boolean(), {
    description: "Adds a `Signed-off-by` of the App's bot to each commit, for projects that ask for one.",
    default: false,
  }),
});

export const retries = section("retries", "Restarts and repeated checks.", {
  maxRestarts: setting("max_restarts", z.int().min(0), {
    description: "Restarts after the runtime died, before the agent fails.",
    default: 3,
  }),
  coderPollMs: setting("coder_poll_interval", duration(), {
    description:
      "How often Flotilla checks an issue whose coder waits for the label `draft` to be removed, in case the webhook is lost.",
    default: "30s",
  }),
});

export const leases = section("leases", "How long a claim holds without a sign of life.", {
  agentMs: setting("agent", duration(), { description: "An agent's lease.", default: "5m" }),
  taskMs: setting("task", duration(), { description: "A task's lease.", default: "30m" }),
});

export const setup = section(
  "setup",
  "What prepares a worktree. Commands run in the sandbox, without secrets.",
  {
    commands: setting("commands", texts(), {
      description:
        "Commands before the first turn and when a lock file or this section changes, such as `npm ci`.",
      default: [],
      repository: "replace",
    }),
    network: setting("network", hosts(), {
      description: "Hosts that these commands may reach by HTTPS, such as `registry.npmjs.org`.",
      default: [],
      repository: "choose",
    }),
    cache: setting(
      "cache",
      z.array(
        z.string().regex(/^\w[\w.-]{0,59}$/, { error: "write a name, such as npm: letters, digits, _ . -" }),
      ),
      {
        description:
          "Names of directories below `$FLOTILLA_CACHE`, as in `npm ci --cache $FLOTILLA_CACHE/npm`, that all setups of one repository share, and no other repository. What one agent's setup writes there another's reads: for downloads that are checked when they are used.",
        default: [],
        repository: "replace",
      },
    ),
    reuse: setting("reuse", reusedDirectories(), {
      description:
        "Directories, such as `node_modules`, that the commands fill from lock files and manifests alone. Flotilla copies them into later worktrees and checkouts of the repository where these files are the same, and does not run the commands there. Name none if the commands also build the repository's own sources, leave anything elsewhere that the work needs, or write the directory's own path into its files, as Python's `.venv` has it.",
      default: [],
      repository: "replace",
    }),
    environment: setting("environment", environmentVariables(), {
      description:
        'Environment variables of agents, setup commands and acceptance commands, such as `{ DATABASE_URL: "file:test.db" }`. Values are text and are taken literally: `$HOME` stays `$HOME`. Never write secrets here: agents read the values, and a repository\'s own file is as public as the repository. At most 50 names, each value at most 4096 bytes. Names that Flotilla sets, or that change how programs run, such as `PATH` or `NODE_OPTIONS`, are refused.',
      default: {},
      repository: "replace_each",
    }),
    repositoriesMay: section(
      "repositories_may",
      "What a repository's own file may set in `setup`, and whether it may have services.",
      {
        commands: setting("commands", z.boolean(), {
          description: "Whether it may name its own setup commands. They run confined, as the operator's do.",
          default: true,
        }),
        services: setting("services", z.boolean(), {
          description: "Whether it may name its own `services`. They run confined, as its commands do.",
          default: true,
        }),
        hosts: setting("hosts", hosts(), {
          description:
            "Hosts that its `setup.network` may choose from, besides those of the operator's `setup.network`, such as `proxy.golang.org`.",
          default: [],
        }),
      },
    ),
  },
);

export const evidence = section("evidence", "What a completion must show.", {
  commands: setting("commands", texts(), {
    description: "Acceptance commands that the host runs on a clean checkout, such as `npm test`.",
    default: [],
    repository: "replace",
  }),
  maxBounces: setting("max_bounces", z.int().min(0), {
    description: "How often a completion without its evidence is sent back before a person is asked.",
    default: 3,
    repository: "lower",
  }),
  /** For setup commands, too. */
  timeoutMs: setting("timeout", duration(), {
    description: "Time limit of one command.",
    default: "10m",
    repository: "lower",
  }),
  requiredChecks: setting("required_checks", texts(), {
    description: "GitHub checks that must be green on the head commit.",
    default: [],
    repository: "add",
  }),
  evaluatorThreshold: setting("evaluator_threshold", z.number().min(0).max(1), {
    description: "Minimum confidence of the role named `evaluator`, if there is one.",
    default: 0.85,
    repository: "raise",
  }),
  screens,
});

const isShort = (listed: readonly string[]) => listed.length <= MOST_LISTED;
const TOO_LONG = { error: `write a list of at most ${MOST_LISTED}.` };

/** A path of a file, no pattern. */
const listedPath = z
  .string()
  .min(1)
  .max(200)
  .superRefine((path, context) => {
    const message = /[*?]/.test(path)
      ? "has a wildcard; write the whole path of a file."
      : patternFault(path);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

export const instructions = setting(
  "instructions",
  z
    .union([z.boolean(), z.enum(["on", "off"]), z.array(listedPath).min(1).refine(isShort, TOO_LONG)], {
      error: "write true, off, or a list of files.",
    })
    .transform((written) => (Array.isArray(written) ? [...new Set(written)] : isSwitchedOn(written))),
  {
    description:
      "Whether agents are shown the repository's own instructions: `AGENTS.md`, `CLAUDE.md` and `GEMINI.md` of any directory, `.github/copilot-instructions.md`, and `.github/instructions/*.instructions.md` for the paths of their `applyTo`; and whether they get its skills. Or a list of the files that they are shown in place of all these, each by its path from the top of the repository. They are read from the commit that the work is based on.",
    default: true,
    repository: "replace_unless_off",
  },
);

const isSwitchedOn = (written: boolean | "on" | "off"): boolean => written === true || written === "on";

export const review = section("review", "Reviews of agents' work, and of people's pull requests.", {
  required: setting("required", z.boolean(), {
    description: "Work completes only with a review.",
    default: false,
    repository: "switch_on",
  }),
  reviewers: setting("reviewers", z.int().min(1), {
    description: "How many reviewers must approve.",
    default: 1,
    repository: "raise",
  }),
  maxCycles: setting("max_cycles", z.int().min(1), {
    description: "Rejections in a row before a person is asked.",
    default: 5,
    repository: "lower",
  }),
  leaseMs: setting("lease", duration(), {
    description: "How long a reviewer holds its claim.",
    default: "30m",
    repository: "lower",
  }),
  differ: setting("differ", z.boolean(), {
    description:
      "Whether a reviewer works with another runtime or model than the coder did. If no other is configured, it works with the coder's, and `/flotilla why` says so.",
    default: false,
    repository: "switch_on",
  }),
  people: setting("people", z.enum(["asked", "label", "opened"]), {
    description:
      "Which pull requests of people an agent reviews. `asked`: those for which somebody says `/flotilla review`. `label`: also those with the label below, again after each push. `opened`: all that are no drafts, again after each push. Only people who may command start a review: who comments, labels, opens or pushes. Such a review never counts as an approval.",
    default: "asked",
    repository: "replace",
  }),
  label: setting("label", z.string().min(1), {
    description: "The label by which a person asks for a review of a pull request, with `people: label`.",
    default: "flotilla-review",
    repository: "replace",
  }),
});

/** `auto` counts only where the level is `merge`. */
export const merge = section("merge", "How pull requests are merged.", {
  auto: setting("auto", z.boolean(), {
    description: "Whether Flotilla merges work that is approved and whose checks are green.",
    default: false,
    repository: "switch_off",
  }),
  maxRisk: setting("max_risk", z.int().min(0).max(99).optional(), {
    description:
      "The highest risk, from 0 to 100, at which `auto` merges work; a person merges work above it. Without it, `auto` merges all approved work. docs/merge-by-risk.md says what the risk is made of.",
    repository: "lower",
  }),
  method: setting("method", z.enum(["merge", "squash", "rebase"]), {
    description: "GitHub's merge method.",
    default: "squash",
    repository: "replace",
  }),
});

export const checks = section("checks", "GitHub checks of Flotilla's pull requests.", {
  flakeReruns: setting("flake_reruns", z.int().min(0), {
    description:
      "How often a check that is known to fail now and then is rerun on one commit before its failure counts.",
    default: 1,
  }),
});

export const sandbox = section("sandbox", "How agents are confined.", {
  mode: setting("mode", z.enum(["bubblewrap", "none"]), {
    description:
      "How agents, setup commands and acceptance commands are confined. `none`: not at all; Flotilla warns at start and refuses public repositories.",
    default: "bubblewrap",
  }),
  network: setting("network", z.enum(["none", "proxy"]), {
    description:
      "What a confined agent and its acceptance commands can reach. `proxy`: the hosts of `allow_hosts`, by HTTPS, and `registries`. Model calls work without it.",
    default: "none",
  }),
  allowHosts: setting("allow_hosts", hosts(), {
    description:
      "Full host names, such as `registry.npmjs.org`. An agent can send what it reads to anyone who receives data through these hosts.",
    default: [],
  }),
  privateHosts: setting(
    "private_hosts",
    z.array(
      z.string().regex(/^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/, {
        error:
          "write the whole name or IPv4 address of a host in small letters, such as npm.corp.internal; no port, path or *",
      }),
    ),
    {
      description:
        "Names, such as `npm.corp.internal`, that may lead into a private network: of `registries`, or of hosts that are permitted elsewhere. All other private addresses are refused.",
      default: [],
    },
  ),
  memoryBytes: setting(
    "memory_gib",
    z
      .union([z.number().positive(), z.literal("off")], { error: "write a number of GiB, or off" })
      .transform((gib) => (gib === "off" ? null : gib * GIB)),
    {
      description:
        "GiB of memory that each agent is promised, for all that runs for it. An agent starts or wakes only if that fits into the machine's memory beside what the agents at work were promised; else it waits. Where Flotilla has control groups it is a limit too: the system ends the processes of an agent that takes more. `off`: agents start whatever the memory is, and have no such limit.",
      default: "off",
    },
  ),
  hostMemoryBytes: setting(
    "host_memory_gib",
    z
      .number()
      .min(0)
      .transform((gib) => gib * GIB),
    {
      description:
        "GiB of memory that are kept for Flotilla and the system when `memory_gib` is set. If Flotilla's container or service has a limit of memory, that counts as the machine's memory.",
      default: 1,
    },
  ),
});
