/**
 * Returns a file that is shipped with Flotilla; `path` is relative to the module `from` (its `import.meta.url`) in the
 * sources. Compiled code is as deep in the package as its source, so only its extension differs.
 */
export function bundledFile(path: string, from: string): URL {
  return new URL(from.endsWith(".js") ? path.replace(/\.ts$/, ".js") : path, from);
}
