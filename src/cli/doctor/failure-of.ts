import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Finding } from "../../server/start-checks/finding.ts";

/** The finding of a question that failed outside of us; null where it was answered. */
export async function failureOf(about: string, asked: Promise<unknown>): Promise<Finding | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { about, what: messageOf(error), next: error.advice ?? "try again later" };
  }
}
