import { GitError } from "../../../src/domain/kernel/errors.ts";
import type { Rig } from "../rig.ts";

const BACK = new WeakMap<Rig, () => void>();

/** From now on git serves nobody. */
export function gitGoes(
  rig: Rig,
  error = (): Error => new GitError("network", "could not fetch acme/shop: 503", { consequence: "retry" }),
): void {
  const prepare = rig.worktrees.prepare.bind(rig.worktrees);
  BACK.set(rig, () => void (rig.worktrees.prepare = prepare));
  rig.worktrees.prepare = async () => {
    throw error();
  };
}

export async function gitIsBack(rig: Rig): Promise<void> {
  BACK.get(rig)?.();
}
