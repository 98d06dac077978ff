import { isValidElement } from "preact";
import { ActButton } from "../../../src/dashboard/page/act-button.ts";
import { Since } from "../../../src/dashboard/page/moments.ts";

/** The words of a part of the page, as people read them; of a button its name in brackets, of a time that passes nothing. */
export function pageText(part: unknown): string {
  if (Array.isArray(part)) return part.map(pageText).join("");
  if (typeof part === "string" || typeof part === "number") return String(part);
  if (!isValidElement(part)) return "";
  const { type, props }: { readonly type: unknown; readonly props: unknown } = part;
  const children = typeof props === "object" && props !== null && "children" in props ? props.children : null;
  if (type === Since) return "";
  if (type === ActButton) return `[${pageText(children)}]`;
  return typeof type === "function" ? pageText(type(props)) : pageText(children);
}
