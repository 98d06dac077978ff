/** The parts of `owner/name#9`; the issue is 0 where the key is none. */
export function planKey(key: string): { readonly repository: string; readonly issue: number } {
  const [, repository = "", issue = "0"] = /^([^#]+)#([1-9]\d{0,9})$/.exec(key) ?? [];
  return { repository, issue: Number(issue) };
}
