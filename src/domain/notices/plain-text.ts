import { fromMarkdown } from "mdast-util-from-markdown";

/** Returns what GitHub shows of a short Markdown text, without its markup. */
export function plainText(markdown: string): string {
  return textOf(fromMarkdown(markdown)).trim();
}

type Root = ReturnType<typeof fromMarkdown>;

function textOf(node: Root | Root["children"][number]): string {
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value;
  if (node.type === "break") return "\n";
  if (!("children" in node)) return "";
  const apart = node.children.some(({ type }) => type === "paragraph" || type === "list");
  return node.children.map(textOf).join(apart ? "\n" : "");
}
