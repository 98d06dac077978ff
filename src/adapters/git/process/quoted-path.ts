const SHORT: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
};

/** Returns the bytes of a path as git prints it with `core.quotePath`: in quotes if it contains unusual characters. */
export function unquoted(path: string): Buffer {
  if (!path.startsWith('"')) return Buffer.from(path);
  const bytes = [...path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)].map(
    ([, octal, letter, plain]) => {
      if (octal !== undefined) return Buffer.of(Number.parseInt(octal, 8));
      if (letter !== undefined) return Buffer.of(SHORT[letter] ?? letter.charCodeAt(0));
      return Buffer.from(plain ?? "");
    },
  );
  return Buffer.concat(bytes);
}
