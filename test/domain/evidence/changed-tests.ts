import type { Sliced } from "../../../src/domain/evidence/sliced.ts";
import { weakenedTests } from "../../../src/domain/evidence/weakened-tests.ts";
import type { ChangedFile, FileContent } from "../../../src/domain/ports/changed-file.ts";

/** Does sliced work at once. */
export function atOnce<T>(work: Sliced<T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

type Given = string | null | Exclude<FileContent, { kind: "text" }>;

const content = (given: Given): FileContent | null =>
  typeof given === "string" ? { kind: "text", id: given, text: given } : given;

/** A file of a change: path, text before, text after. */
type Row = readonly [path: string, before: Given, after: Given];

export const change = (...files: Row[]) =>
  files.map(
    ([path, before, after]): ChangedFile => ({ path, before: content(before), after: content(after) }),
  );

export const found = (...files: Row[]) =>
  atOnce(weakenedTests(change(...files), new Set())).map(({ path, line, kind, what }) => ({
    path,
    line,
    kind,
    what,
  }));

export const kinds = (...files: Row[]) => [...new Set(found(...files).map(({ kind }) => kind))];

export const JS = `import { expect, it } from "vitest";
import { add } from "../src/add.ts";

it("adds two numbers", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(2, 2)).toBe(4);
});

it("adds a negative number", async () => {
  const sum = await add(1, -2);
  expect(sum).toBe(-1);
});
`;

const PY = `import pytest
from shop import total


@pytest.mark.parametrize("price, tax", [
    (1, 2),
    (3, 4),
])
def test_total(price, tax):
    result = total(price, tax)
    assert result == price + tax


class TestCart:
    def test_empty(self):
        assert total(0, 0) == 0
        assert total(0, 1) == 1
`;

export const GO_FILE = `package shop

import "testing"

func TestTotal(t *testing.T) {
	cases := []struct{ a, b int }{
		{1, 2},
		{3, 4},
	}
	for _, c := range cases {
		if got := Total(c.a, c.b); got != c.a+c.b {
			t.Errorf("got %d", got)
		}
	}
}

func TestEmpty(t *testing.T) {
	t.Run("of a new cart", func(t *testing.T) {
		if Total(0, 0) != 0 {
			t.Fatal("not empty")
		}
	})
}
`;

export const RUST_FILE = `pub fn total(a: i32, b: i32) -> i32 {
    assert!(a >= 0);
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(1, 2), 3);
        assert_eq!(total(2, 2), 4);
    }

    #[test]
    #[should_panic]
    fn refuses_negative_numbers() {
        let _lifetime: &'static str = "of a string";
        total(-1, 0);
    }
}
`;

const JAVA = `package shop;

class TotalTest {
    @Test
    void adds() {
        assertEquals(3, total(1, 2));
        assertThat(total(2, 2)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2",
        "3, 4",
    })
    @Timeout(5)
    void addsEach(int a, int b) {
        assertEquals(a + b, total(a, b));
    }
}
`;

export const FILES: Readonly<Record<string, string>> = {
  "test/add.test.ts": JS,
  "tests/test_shop.py": PY,
  "shop/total_test.go": GO_FILE,
  "src/total.rs": RUST_FILE,
  "src/test/java/shop/TotalTest.java": JAVA,
};

/** The change of one file by one replacement, which must be possible. */
export const edited = (path: string, from: string | RegExp, to: string) => {
  const before = FILES[path] ?? "";
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} has no ${String(from)}`);
  return [path, before, after] as const;
};

export const js = "test/add.test.ts";
export const py = "tests/test_shop.py";
export const go = "shop/total_test.go";
export const rust = "src/total.rs";
export const java = "src/test/java/shop/TotalTest.java";
