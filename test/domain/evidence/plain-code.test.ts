import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { plainCode } from "../../../src/domain/evidence/plain-code.ts";
import { languageOf } from "../../../src/domain/evidence/test-languages.ts";

const languages = ["a.ts", "a.py", "a.go", "a.rs", "a.java"] as const;
const syntaxOf = (file: string) => languageOf(file)?.syntax ?? { lineEnds: /x/, openings: /x/ };
const codeOf = (file: string, source: string) => plainCode(source, syntaxOf(file)).code.replace(/ +/g, " ");
const textOf = (file: string, source: string) => plainCode(source, syntaxOf(file)).text.replace(/ +/g, " ");

describe("what is left of a source text", () => {
  it.each([
    ["a.ts", "a(); // b()\nc();", "a(); \nc();"],
    ["a.ts", "a(); /* b()\n */ c();", "a(); \n c();"],
    ["a.ts", "a(); /* b()", "a(); "],
    ["a.ts", 'a("b(\\"", c, \'d(\');', "a(\" \", c, ' ');"],
    ["a.ts", 'a("b\nc();', 'a(" \nc();'],
    ["a.ts", "a(`b( ${c(`d(`)} e(`, f);", "a(` `, f);"],
    ["a.ts", "a(`${{ b: '}`' }} c(`, d); e(`\\``);", "a(` `, d); e(` `);"],
    ["a.ts", "a(`b(", "a(` "],
    ["a.ts", "a(`${b}${c} d(`); e();", "a(` `); e();"],
    ["a.ts", 'a = /[/"]b\\/(/; c();', "a = / /; c();"],
    ["a.ts", "a = /b(\nc();", "a = / \nc();"],
    ["a.ts", 'a = b / c / d(); "e("', 'a = b / c / d(); " "'],
    ["a.ts", "a = /b(\\", "a = / "],
    ["a.ts", "a(); // b\u2028c();", "a(); \nc();"],
    ["a.py", "a() # b()\nc()", "a() \nc()"],
    ["a.py", 'a("""b(\n"c" """, \'d(\')', 'a(""" \n """, \' \')'],
    ["a.py", "a() # b\u2028c()", "a() "],
    ["a.go", 'a(`b\\`, "c(", \'"\') // d', "a(` `, \" \", ' ') "],
    ["a.go", "a() // b\rc()", "a() "],
    ["a.rs", "a(); /* b /* c */ d() */ e();", "a(); e();"],
    ["a.rs", "a(); /* b /* c */ d()", "a(); "],
    [
      "a.rs",
      'a(r#"b" ("#, "c\nd(", r"e\\"); f::<\'g>(\'"\', \'\\\'\');',
      'a(r#" "#, " \n ", r" "); f::<\'g>(\' \', \' \');',
    ],
    ["a.java", 'a("""\n b("c") """, \'"\');', 'a("""\n """, \' \');'],
    ["a.java", "a(); \\u002f\\u002F b()\nc();", "a(); \nc();"],
  ])("is its code in %s: %j", (file, source, left) => {
    expect(codeOf(file, source)).toBe(left);
  });

  it("keeps strings in the text, and no comments", () => {
    expect(textOf("a.ts", 'a("b"); // c\n/* d */ `e`;')).toBe('a("b"); \n `e`;');
  });
});

describe("any text", () => {
  const pieces = [
    "//",
    "/*",
    "*/",
    "#",
    '"',
    "'",
    "`",
    '"""',
    "${",
    "}",
    "{",
    "\\",
    "/",
    "[",
    "]",
    'r#"',
    "\n",
    "\r\n",
    "a",
    "(",
    "=",
    " ",
  ];
  const source = array(oneof(constantFrom(...pieces), string({ maxLength: 3 }))).map((all) => all.join(""));

  it.each(languages)("keeps its lines and its length, and nothing is added to it: %s", (file) => {
    assert(
      property(source, (given) => {
        const { text, code } = plainCode(given, syntaxOf(file));
        expect(code).toHaveLength(text.length);
        expect(code.split("\n").map((line) => line.length)).toEqual(
          text.split("\n").map((line) => line.length),
        );
        const other = code.split("").filter((sign, index) => sign !== " " && sign !== text[index]);
        expect(other).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
