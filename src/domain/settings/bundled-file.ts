/**
 * A file that comes with Flotilla, as `path` leads to it from the module `from` (its `import.meta.url`) in the sources.
 * What is compiled lies as deep in the package as its source, so that only the ending of code differs.
 */
export function bundledFile(path: string, from: string): URL {
  return new URL(from.endsWith(".js") ? path.replace(/\.ts$/, ".js") : path, from);
}
