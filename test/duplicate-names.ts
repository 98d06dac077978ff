/** A file or suite as the runner sees it, as far as its names go. */
export interface NamedSuite {
  readonly type: "suite";
  readonly name: string;
  readonly tasks: readonly (NamedSuite | NamedTest)[];
}

interface NamedTest {
  readonly type: "test";
  readonly name: string;
}

/** Full names that more than one test of the file has: a report that names one would not say which. */
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
