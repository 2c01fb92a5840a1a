/** Generates the types of the client from the OpenAPI document. */

/** A JSON schema as far as the document uses it. */
export interface OpenApiSchema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  nullable?: boolean;
  properties?: Record<string, OpenApiSchema>;
  required?: readonly string[];
  additionalProperties?: boolean | OpenApiSchema;
  items?: OpenApiSchema | readonly OpenApiSchema[];
  anyOf?: readonly OpenApiSchema[];
  oneOf?: readonly OpenApiSchema[];
  allOf?: readonly OpenApiSchema[];
}

interface OpenApiOperation {
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: OpenApiSchema }[];
  responses: Record<string, { content?: Record<string, { schema?: OpenApiSchema }> }>;
}

/** The part of an OpenAPI document that is read. */
export interface OpenApiDocument {
  paths: Record<string, { get?: OpenApiOperation }>;
}

const HEAD = `/** Generated from /api/openapi.json: WRITE_CLIENT=1 npx vitest run api/test/data-out/client.test.ts */

/** The calls that need no account, by path: parameters of the path, of the query, and the answer. */
export interface ApiPaths {
`;

/** The source of the types of the calls whose path passes `isListed`. */
export function generateClientTypes(document: OpenApiDocument, isListed: (path: string) => boolean): string {
  const entries = Object.entries(document.paths)
    .filter(([path, { get }]) => get && isListed(path.replaceAll(/\{\w+\}/g, '1')))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { get }]) => `  ${JSON.stringify(path)}: ${operationType(get as OpenApiOperation)};\n`);
  return `${HEAD}${entries.join('')}}\n`;
}

function operationType({ parameters = [], responses }: OpenApiOperation): string {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const content = responses['200']?.content ?? {};
  const json = content['application/json']?.schema;
  const answer = json ? schemaType(json, 2) : 'string';
  const members = [`path: ${parametersType(of('path'))}`, `query: ${parametersType(of('query'))}`, `answer: ${answer}`];
  return `{\n${members.map((member) => `    ${member};\n`).join('')}  }`;
}

function parametersType(parameters: NonNullable<OpenApiOperation['parameters']>): string {
  if (parameters.length === 0) return 'Record<never, never>';
  const members = parameters.map(({ name, required, schema = {} }) => {
    const mark = required ? '' : '?';
    return `${memberName(name)}${mark}: ${schemaType(schema, 3)}${required ? '' : ' | undefined'}`;
  });
  return `{ ${members.join('; ')} }`;
}

/** The TypeScript type of a schema; `depth` is the indentation of its members. */
export function schemaType(schema: OpenApiSchema, depth: number): string {
  const type = plainType(schema, depth);
  return schema.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function plainType(schema: OpenApiSchema, depth: number): string {
  const union = (parts: readonly OpenApiSchema[]) =>
    [...new Set(parts.map((part) => schemaType(part, depth)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf ?? schema.oneOf) return union(schema.anyOf ?? schema.oneOf ?? []);
  if (schema.allOf) return schema.allOf.map((part) => schemaType(part, depth)).join(' & ') || 'unknown';
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayType(schema, depth);
    case 'object':
      return objectType(schema, depth);
    default:
      return 'unknown';
  }
}

function arrayType({ items }: OpenApiSchema, depth: number): string {
  if (!items) return 'unknown[]';
  if (!('length' in items)) return `(${schemaType(items as OpenApiSchema, depth)})[]`;
  return `[${(items as readonly OpenApiSchema[]).map((item) => schemaType(item, depth)).join(', ')}]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: OpenApiSchema, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties).map(([name, inner]) => {
    const isRequired = required.includes(name);
    const type = schemaType(inner, depth + 1);
    return `${indent}${memberName(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  const others = typeof additionalProperties === 'object' ? schemaType(additionalProperties, depth + 1) : 'unknown';
  if (members.length === 0) return `Record<string, ${others}>`;
  return `{\n${members.join('')}${'  '.repeat(depth)}}`;
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
