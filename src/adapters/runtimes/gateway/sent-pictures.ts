/** Tokens of one picture: what providers count for one of the size that the host sends, or more. */
const TOKENS_OF_A_PICTURE = 4000;
/** Objects of a request are not nested deeper than this, with room. */
const DEEPEST = 12;

/** The pictures in a request: the characters that stand for them, and the tokens that are counted instead. */
export interface SentPictures {
  readonly characters: number;
  readonly tokens: number;
}

/** Finds the pictures in the body of a request, in the form of any of the APIs. */
export function sentPictures(body: unknown): SentPictures {
  let [characters, count] = [0, 0];
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > DEEPEST) return;
    const picture = pictureIn(value);
    if (picture === null) {
      for (const each of Object.values(value)) look(each, depth + 1);
      return;
    }
    characters += picture.length;
    count += 1;
  };
  look(body, 0);
  return { characters, tokens: count * TOKENS_OF_A_PICTURE };
}

/** Returns the text of the picture that a part of a message is; null for any other. */
function pictureIn(part: object): string | null {
  const type: unknown = Reflect.get(part, "type");
  const url: unknown = Reflect.get(part, "image_url");
  const written =
    type === "image_url"
      ? Reflect.get(Object(url), "url")
      : type === "input_image"
        ? url
        : type === "image"
          ? Reflect.get(Object(Reflect.get(part, "source")), "data")
          : null;
  return typeof written === "string" ? written : null;
}
