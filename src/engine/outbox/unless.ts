import { GitHubError } from "../../domain/kernel/errors.ts";

/** False when GitHub answers with that code; every other failure is one. */
export async function unless(code: GitHubError["code"], act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.code === code) return false;
    throw error;
  }
}
