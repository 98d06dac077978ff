import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { AgentProgram } from "../../server/agent-programs.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Turn } from "../runtimes/scripted-turn.ts";

/**
 * Has each program do a turn, one after another, because each takes hundreds of megabytes. Returns what is wrong with those that
 * do not start, do not do what they are told, or start what a repository brings along.
 */
export async function findingsOfPrograms(
  programs: readonly AgentProgram[],
  turnOf: (program: AgentProgram) => Promise<Turn>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const program of programs) findings.push(...(await findingsOfTurn(program, () => turnOf(program))));
  return findings;
}

async function findingsOfTurn(
  { name, preset, packages }: AgentProgram,
  turn: () => Promise<Turn>,
): Promise<readonly Finding[]> {
  const about = `runtimes.${name}`;
  const again =
    preset.package === null
      ? `Correct runtimes.${name}: it must speak ACP, with its model at {gateway} and its key {key}`
      : `Remove ${packages}, and run \`flotilla runtimes add ${preset.name}\``;
  try {
    const { end, detail, called, started } = await turn();
    const bad = (what: string, next = again): Finding => ({ about, what: `${preset.title} ${what}`, next });
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
