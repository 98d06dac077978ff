/** A file or suite as the runner sees it, as far as its names go. */
export interface NamedSuite {
  readonly tasks: readonly (NamedSuite | { readonly name: string; readonly type: "test" })[];
  readonly name: string;
  readonly type: "suite";
}

/** Full names that more than one test of the file has: a report that names one would not say which. */
export function duplicateNames(file: NamedSuite): readonly string[] {
  const names = namesIn(file, "");
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function namesIn(suite: NamedSuite, prefix: string): readonly string[] {
  return suite.tasks.flatMap((task) => {
    const name = `${prefix}${task.name}`;
    return task.type === "test" ? [name] : namesIn(task, `${name} > `);
  });
}
