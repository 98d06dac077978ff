/** `text` with what stands between `<!-- begin NAME -->` and `<!-- end NAME -->` made again; every part must have its place. */
export function withParts(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((so, [name, part]) => {
    const [begin, end] = [`<!-- begin ${name} -->\n`, `<!-- end ${name} -->`];
    const from = so.indexOf(begin);
    const to = so.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`there is no place for ${name}`);
    return `${so.slice(0, from)}${begin}\n${part}\n\n${so.slice(to)}`;
  }, text);
}

/** A comment as GitHub shows it, set apart from the page. */
export function shown(comment: string): string {
  return comment
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
