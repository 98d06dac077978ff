import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { AgentProgram } from "../../server/agent-programs.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Turn } from "../runtimes/scripted-turn.ts";

/** A runtime that is tried. */
export interface Tried {
  /** Where its findings belong. */
  readonly about: string;
  readonly title: string;
  /** What people do about it. */
  readonly again: string;
  readonly turn: () => Promise<Turn>;
}

/** Returns how a program of `runtimes` is tried. */
export function triedProgram({ name, preset }: AgentProgram, turn: Tried["turn"]): Tried {
  const again =
    preset.package === null
      ? `Correct runtimes.${name}: it must speak ACP, with its model at {gateway} and its key {key}`
      : `Run \`flotilla runtimes add ${preset.name}\`, which repairs it`;
  return { about: `runtimes.${name}`, title: preset.title, again, turn };
}

/** Returns how the built-in runtime is tried. */
export function triedBuiltIn(turn: Tried["turn"]): Tried {
  const { title } = DEFAULT_RUNTIME;
  return { about: title, title, again: "Run `npm install` again: it comes with Flotilla", turn };
}

/**
 * Has each runtime do a turn, one after another, because each takes hundreds of megabytes. Returns what is wrong with those that
 * do not start, do not do what they are told, or start what a repository brings along.
 */
export async function findingsOfTurns(tried: readonly Tried[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const one of tried) findings.push(...(await findingsOfTurn(one)));
  return findings;
}

async function findingsOfTurn({ about, title, again, turn }: Tried): Promise<readonly Finding[]> {
  try {
    const { end, detail, called, started } = await turn();
    const bad = (what: string, next = again): Finding => ({ about, what: `${title} ${what}`, next });
    return [
      ...(end === "idle"
        ? called
          ? []
          : [bad("did not call the tool of Flotilla that its model called: it could do no work")]
        : [
            bad(
              `did not end its turn well (${end}${detail === null ? "" : `: ${detail}`}): it could do no work`,
            ),
          ]),
      ...(started.length === 0
        ? []
        : [
            bad(
              `ran files of the repository (${started.join(", ")}): anyone who can write to a repository could start programs that the role does not permit`,
              `${again}, or take it out of the configuration`,
            ),
          ]),
    ];
  } catch (error) {
    if (!(error instanceof OutsideError) || error.code === "interrupted") throw error;
    const next = error.consequence === "tell" ? error.advice : undefined;
    return [{ about, what: messageOf(error), next: next ?? again }];
  }
}
