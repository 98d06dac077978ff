import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Finding } from "../../server/start-checks/finding.ts";

/** Returns the finding for a request that failed outside of Flotilla; null where it succeeded. */
export async function failureOf(about: string, asked: Promise<unknown>): Promise<Finding | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { about, what: messageOf(error), next: error.advice ?? "try again later" };
  }
}
