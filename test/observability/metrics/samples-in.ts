/** One line of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

/** Every sample of a scrape. Throws at what is no such format, and at a sample without help and type before it. */
export function samplesIn(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("a scrape ends with a line end");
  const help = new Set<string>();
  const type = new Set<string>();
  return text.split("\n").flatMap((line): Sample[] => {
    if (line === "") return [];
    const told = /^# (HELP|TYPE) (\S+) \S/.exec(line);
    if (told !== null) {
      (told[1] === "HELP" ? help : type).add(told[2] ?? "");
      return [];
    }
    const [, name = "", labels = "", value = ""] = LINE.exec(line) ?? [];
    const metric = name.replace(/_(bucket|sum|count)$/, "");
    if (![name, metric].some((known) => help.has(known) && type.has(known)))
      throw new Error(`no such line: ${line}`);
    const number = value === "+Inf" ? Infinity : Number(value);
    if (value === "" || (Number.isNaN(number) && value !== "Nan")) throw new Error(`no value: ${line}`);
    return [{ name, labels: labelsIn(labels), value: number }];
  });
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let end = 0; end < text.length; end = LABEL.lastIndex) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no labels: ${text}`);
    labels[name] = value;
  }
  return labels;
}
