/** What a Markdown text would reach, found by another way than the one it was made safe by: as GitHub reads it. */
export function reached(text: string): readonly string[] {
  const found: string[] = [];
  for (const paragraph of outsideOfBlocks(text).split(/\n[ \t]*\n/)) {
    const { structure, words } = outsideOfSpans(paragraph);
    for (const [mention] of words.matchAll(/(?<![A-Za-z0-9])@[A-Za-z0-9][\w-]*/g)) found.push(mention);
    for (const [closing] of words.matchAll(
      /(?<![A-Za-z0-9])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w-]+\/[\w.-]+)?#\d+/gi,
    ))
      found.push(closing);
    for (const [address] of words.matchAll(/(?:https?:\/\/|www\.)[a-z0-9]\S*/gi))
      if (!/^https:\/\/github\.com(?:\/|$)/.test(address)) found.push(address);
    for (const [, link = ""] of structure.matchAll(/\]\(([^)]*)\)/g))
      if (/^(?!https:\/\/github\.com(?:\/|$))(?:[a-z][\w+.-]*:|[/\\]{2}|<)/i.test(link))
        found.push(`](${link})`);
    for (const [sign] of structure.matchAll(/!\[|\]:|<[a-z/!?]/gi)) found.push(sign);
    for (const [command] of structure.matchAll(/^[ \t>*-]*\/[a-z]\w*/gim)) found.push(command.trim());
  }
  return found;
}

/** Without fenced blocks, by the rules for those that stand in nothing else; one that is not closed hides nothing. */
function outsideOfBlocks(text: string): string {
  const kept: string[] = [];
  let open: { readonly sign: string; readonly lines: string[] } | null = null;
  for (const line of text.split("\n")) {
    const [, sign = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== null) {
      open.lines.push(line);
      if (sign.startsWith(open.sign) && rest.trim() === "") open = null;
    } else if (sign !== "" && !(sign.startsWith("`") && rest.includes("`"))) open = { sign, lines: [line] };
    else kept.push(line);
  }
  return [...kept, ...(open === null ? [] : ["", "<!swallows what follows"])].join("\n");
}

/** `structure` keeps of an escaped sign only that there was one; `words` is what people read. */
function outsideOfSpans(text: string): { readonly structure: string; readonly words: string } {
  let structure = "";
  let words = "";
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const [escaped] = /^\\[!-/:-@[-`{-~]/.exec(rest) ?? [];
    const [run] = /^`+/.exec(rest) ?? [];
    const end = run === undefined ? -1 : endOf(rest, run);
    if (escaped !== undefined) {
      structure += "\u{E000}";
      words += escaped.slice(1);
      at += 2;
    } else if (run !== undefined) {
      const code = end >= 0;
      structure += code ? "\u{E001}" : run;
      words += code ? "\u{E001}" : run;
      at += code ? end : run.length;
    } else {
      structure += rest.charAt(0);
      words += rest.charAt(0);
      at += 1;
    }
  }
  return { structure, words: words.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))) };
}

function endOf(rest: string, run: string): number {
  for (const found of rest.slice(run.length).matchAll(/`+/g))
    if (found[0] === run) return run.length + found.index + run.length;
  return -1;
}
