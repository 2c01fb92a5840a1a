/** Request bodies: valid, invalid in one field, entirely invalid, or no JSON. */
import * as fc from 'fast-check';
import { hostileText, hostileValue } from './hostile-values.ts';
import { type KnownValues, type Schema, validValue } from './schema-values.ts';

/** A body that is valid, invalid in one field, entirely invalid, or no JSON. */
export function generatedBody(schema: Schema, known: KnownValues): fc.Arbitrary<Buffer> {
  const right = validValue(schema, known);
  const wrong = fc.tuple(right, fc.nat(), hostileValue).map(([value, place, other]) => replaceOne(value, place, other));
  const text = (value: fc.Arbitrary<unknown>) => value.map((each) => JSON.stringify(each));
  return fc.oneof(
    { weight: 3, arbitrary: text(right).map((each) => Buffer.from(each)) },
    { weight: 6, arbitrary: text(wrong).map((each) => Buffer.from(each)) },
    { weight: 1, arbitrary: text(hostileValue).map((each) => Buffer.from(each)) },
    { weight: 3, arbitrary: brokenText(text(right)) },
  );
}

/** The value with one part replaced, removed or added. */
function replaceOne(value: unknown, place: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const copy = structuredClone(value) as Record<string, unknown>;
  const names = Object.keys(copy);
  const at = place % (names.length + 1);
  const name = names[at];
  if (name === undefined) return Array.isArray(copy) ? [...copy, other] : { ...copy, unknownField: other };
  const inner = copy[name];
  if (place % 7 === 0) delete copy[name];
  else if (typeof inner === 'object' && inner !== null && place % 3 > 0)
    copy[name] = replaceOne(inner, Math.floor(place / 7), other);
  else copy[name] = other;
  return copy;
}

/** JSON that was damaged, or bytes that never were any. */
export function brokenText(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const changed = fc.tuple(text, fc.nat(), hostileText).map(([whole, at, piece]) => {
    const cut = at % (whole.length + 1);
    const versions = [
      whole.slice(0, cut),
      `${whole.slice(0, cut)}${piece}${whole.slice(cut)}`,
      `\ufeff${whole}`,
      `${whole}${whole}`,
      whole.replace('{', '{"__proto__":{"isAdmin":true},'),
      whole.replace('{', '{"constructor":{"prototype":{"x":1}},'),
      whole.replace(':', ':1e999,"again":'),
      whole.replace(/"(\w+)":/, '"$1":"twice","$1":'),
      `{"a":"${'x'.repeat(140_000)}"}`,
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    ];
    return Buffer.from(versions[at % versions.length] ?? '');
  });
  return fc.oneof(
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  );
}
