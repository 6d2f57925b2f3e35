import { comment } from './comment.ts';
import { components, nameOf, type Schema } from './document.ts';

/** The names of the components that a schema refers to directly. */
export function referencesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === '$ref') return [nameOf(value as string)];
    // The mapping of a discriminator only repeats the references of its union.
    return key === 'discriminator' || key === 'example' ? [] : referencesOf(value);
  });
}

/** The declaration of a component: an interface for an object, otherwise a type. */
export function declarationOf(name: string, schema: Schema): string {
  const doc = comment(schema.description ?? '');
  if (schema.properties && !schema.oneOf) return `${doc}export interface ${name} ${objectOf(schema)}\n`;
  return `${doc}export type ${name} = ${typeOf(schema)};\n`;
}

/** A schema as a type of TypeScript. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return unionOf(schema.enum.map(literal));
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unionOf(options.map(typeOf));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'unknown' : unionOf(types.map((type) => typeNamed(type, schema)));
}

function typeNamed(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'FileInput' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `${inUnion(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      return schema.properties ? objectOf(schema) : recordOf(schema);
    default:
      throw new Error(`The generator knows no type ${type}; add it to scripts/generate/sdk/schema.ts.`);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    const doc = comment(schema.deprecated === true ? `${textOf(schema)}\n@deprecated` : textOf(schema));
    const value = typeOf(schema);
    return `${doc}${key}${required.includes(name) ? `: ${value}` : `?: ${value} | undefined`};`;
  });
  const others =
    typeof additionalProperties === 'object' ? [`[property: string]: ${typeOf(additionalProperties)};`] : [];
  return `{\n${[...lines, ...others].join('\n')}\n}`;
}

/** The description of a schema. A reference without a description has that of its component. */
function textOf({ description, $ref }: Schema): string {
  return description ?? ($ref === undefined ? undefined : components[nameOf($ref)]?.description) ?? '';
}

function recordOf({ additionalProperties = {} }: Schema): string {
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
}

function unionOf(types: readonly string[]): string {
  // `string` includes the texts that a value may also be, such as `me`.
  const distinct = [...new Set(types)].filter((type) => !type.startsWith("'") || !types.includes('string'));
  return distinct.join(' | ');
}

function inUnion(type: string): string {
  return /^[^{]* \| /.test(type) ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}
