/** The names of a file or suite, as the test runner sees them. */
export interface NamedSuite {
  readonly type: "suite";
  readonly name: string;
  readonly tasks: readonly (NamedSuite | NamedTest)[];
}

interface NamedTest {
  readonly type: "test";
  readonly name: string;
}

/**
 * Returns the full names that several tests of the file share: with such a name a report would not say which test
 * failed.
 */
export function duplicateNames(file: NamedSuite): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of namesIn(file, "")) (seen.has(name) ? twice : seen).add(name);
  return [...twice];
}

function namesIn(suite: NamedSuite, prefix: string): readonly string[] {
  return suite.tasks.flatMap((task) => {
    const name = `${prefix}${task.name}`;
    return task.type === "test" ? [name] : namesIn(task, `${name} > `);
  });
}
