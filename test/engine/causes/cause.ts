import type { Settings } from "../../../src/domain/settings/settings.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import type { Conversation } from "../scripts.ts";

/** Something real by which a decision comes about; resolves once it is recorded. */
export type Cause = () => Promise<Rig>;

/** What is told of issue 1 after its label was put, where `script` is given; else of an issue that nobody works on. */
export function caused(
  options: { readonly script?: readonly Conversation[]; readonly settings?: Partial<Settings> },
  act: (rig: Rig) => Promise<unknown> = () => Promise.resolve(),
): Cause {
  return async () => {
    const rig = await aRig(options);
    if (options.script !== undefined) await tell(rig, labeled(rig, 1));
    await act(rig);
    return rig;
  };
}

/** By a command on an issue that nobody works on. */
export function commanded(command: string): Cause {
  return caused({}, (rig) => tell(rig, said(rig, 1, command)));
}

export function issueOne(rig: Rig) {
  const issue = rig.repository.issues.get(1);
  if (issue === undefined) throw new Error("the rig has no issue 1");
  return issue;
}
