import { GitHubError } from "../../domain/kernel/errors.ts";

/** Runs `act`; returns false when GitHub answers with that code, and rethrows every other failure. */
export async function succeedsUnless(code: GitHubError["code"], act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.code === code) return false;
    throw error;
  }
}
