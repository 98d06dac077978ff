import type { Reporter, TestModule, TestSuite } from "vitest/node";

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Counts a run. Failures outside of tests count too: a file that cannot be loaded, a hook, an unhandled rejection. So a
 * failed run never prints `0 failed`.
 */
function tally(
  modules: readonly Pick<TestModule, "children" | "errors">[],
  unhandled: readonly unknown[],
): Tally {
  const count = { passed: 0, failed: unhandled.length, skipped: 0 };
  for (const module of modules) {
    count.failed += module.errors().length;
    for (const suite of module.children.allSuites()) count.failed += suiteErrors(suite);
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      count[state === "pending" ? "skipped" : state] += 1;
    }
  }
  return count;
}

function suiteErrors(suite: Pick<TestSuite, "errors">): number {
  return suite.errors().length;
}

/** Prints `N passed, N failed, N skipped` as the last line of the process, after the coverage table. */
export function plainReporter(): Reporter {
  let last: Tally = { passed: 0, failed: 0, skipped: 0 };
  return {
    onInit() {
      process.once("exit", () => {
        process.stdout.write(`${last.passed} passed, ${last.failed} failed, ${last.skipped} skipped\n`);
      });
    },
    onTestRunEnd(modules, unhandled) {
      last = tally(modules, unhandled);
    },
  };
}
