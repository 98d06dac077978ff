import { circuitBreakers } from "../../src/domain/breakers/circuit-breakers.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const { defaults: _, roles: __, turnCeiling: ___, ...breakers } = circuitBreakers.keys;

/** Each limit of each breaker, and the ceiling of an agent's turns. */
export const GUARD_KEYS: readonly KeyInForce[] = [
  {
    key: "circuit_breakers.turn_ceiling",
    set: "circuit_breakers: { turn_ceiling: 300, defaults: { max_turns: 250 } }",
    read: (c) => [c.limits.turnCeiling, c.limits.defaults.maxTurns],
    expected: [300, 250],
  },
  ...Object.entries(breakers).flatMap(([breaker, { key: section, keys }]) =>
    Object.entries(keys).map(([name, { key, type }]): KeyInForce => {
      const value = name.endsWith("Ms") ? "45m" : 7;
      return {
        key: `circuit_breakers.${section}.${key}`,
        set: `circuit_breakers: { ${section}: { ${key}: ${value} } }`,
        read: (c) => Reflect.get(Reflect.get(c, breaker), name),
        expected: type.parse(value),
      };
    }),
  ),
];
