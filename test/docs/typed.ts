import { commandsOf, flotillaArguments, type Typed } from "./command-lines.ts";
import { GUIDES } from "./pages.ts";

/** Every command in the `sh` and `console` blocks of the pages. */
export const TYPED: readonly Typed[] = GUIDES.flatMap(({ blocks }) =>
  blocks.filter(({ language }) => ["sh", "console"].includes(language)).flatMap(commandsOf),
);

/** Commands that change nothing but what they print, and the emergency stop with what lifts it. */
const HARMLESS =
  /^(?:help|check|explain|tasks|ledger|diagram|completion|deliveries list|deliveries sweep|agents list|agents show|agents transcript|pause --all|resume --all)\b/;

/** Those of Flotilla's own that can be run beside a serving process, once each; the issue of the examples is `issue` there. */
export function harmless(issue: { readonly number: string; readonly agent: string }): readonly string[] {
  const lines = TYPED.flatMap(({ words }) => {
    const args = flotillaArguments(words);
    if (args === null || !HARMLESS.test(args.join(" ")) || args.includes("--write")) return [];
    // The first checks a file that is not there; the second tries commands, of which the repository there has none.
    if (args.includes("--file") || args.includes("--repo")) return [];
    return args
      .map((arg) => arg.replace(/^acme\/shop:.*$/, issue.agent).replace(/^acme\/shop#\d+$/, issue.number))
      .map((arg) => `'${arg}'`)
      .join(" ");
  });
  return [...new Set(lines)];
}
