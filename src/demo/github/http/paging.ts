import { type Answer, ok } from "./answer.ts";
import type { Call } from "./route.ts";

/** Returns the page of a list that `page` and `per_page` (30, at most 100) ask for, with GitHub's Link header. */
export function paged<T>(call: Call, all: readonly T[], render: (entry: T) => unknown): Answer {
  const { entries, headers } = cut(call, all);
  return ok(entries.map(render), headers);
}

/** Same as `paged`, in an object that also counts all entries. */
export function pagedWithCount<T>(
  call: Call,
  name: string,
  all: readonly T[],
  render: (entry: T) => unknown,
  more: object = {},
): Answer {
  const { entries, headers } = cut(call, all);
  return ok({ total_count: all.length, [name]: entries.map(render), ...more }, headers);
}

function cut<T>(call: Call, all: readonly T[]): { entries: readonly T[]; headers: Record<string, string> } {
  const size = Math.min(Math.max(Number(call.query.get("per_page") ?? 30) || 30, 1), 100);
  const page = Math.max(Number(call.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(all.length / size), 1);
  const link = (number: number, rel: string): string => {
    const query = new URLSearchParams(call.query);
    query.set("page", String(number));
    return `<${call.world.api}${call.path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first")] : []),
  ];
  const headers: Record<string, string> = links.length > 0 ? { link: links.join(", ") } : {};
  return { entries: all.slice((page - 1) * size, page * size), headers };
}
