/** Generates values that match a JSON Schema, as far as it is known. */
import * as fc from 'fast-check';

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Values that exist on the server, by the name of the field or parameter that takes them. */
export type KnownValues = Record<string, readonly string[]>;

/** A value that matches the schema; a known value where there is one. */
export function validValue(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((each) => validValue(each, known, name)));
  if (schema.allOf) return validValue(Object.assign({}, ...schema.allOf), known, name);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return validObject(schema, known);
  if (schema.type === 'array')
    return fc.array(validValue(schema.items ?? {}, known, name.replace(/s$/, '')), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 4, 4),
    });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
  const values = known[name];
  if (values) return fc.constantFrom(...values);
  if (schema.format === 'uuid') return fc.uuid();
  return schema.pattern ? textMatching(schema.pattern) : fc.string({ minLength: 1, maxLength: 30 });
}

function textMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 });
  } catch {
    // Not every pattern can be generated.
    return fc.string({ minLength: 1, maxLength: 30 });
  }
}

function validObject({ properties = {}, required = [] }: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, validValue(schema, known, name)]),
  );
  return fc.record(fields, {
    requiredKeys: Object.keys(fields).filter((name) => required.includes(name) || known[name]),
  });
}
