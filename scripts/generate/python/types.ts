import { nameOf, type Schema } from '../sdk/document.ts';
import { literal } from './text.ts';

/** What the names of types look like where a type is written. */
export interface Place {
  /** Stands before the names of models, like `m.`. */
  readonly prefix: string;
  /** The type of an array: any sequence where a value is only read. */
  readonly array: 'list' | 'Sequence';
}

/** A schema as a type of Python. */
export function typeOf(schema: Schema, place: Place): string {
  if (schema.$ref !== undefined) return `${place.prefix}${nameOf(schema.$ref)}`;
  if ('const' in schema) return literalType([schema.const]);
  if (schema.enum) return literalType(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unionOf(options.map((option) => typeOf(option, place)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'Any' : unionOf(types.map((type) => typeNamed(type, schema, place)));
}

function typeNamed(type: string, schema: Schema, place: Place): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'FileInput' : 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `${place.array}[${typeOf(schema.items ?? {}, place)}]`;
    case 'object': {
      if (schema.properties) throw new Error('The generator names no type of an object that is no component.');
      const { additionalProperties: values = {} } = schema;
      return `dict[str, ${typeof values === 'object' ? typeOf(values, place) : 'Any'}]`;
    }
    default:
      throw new Error(`The generator knows no type ${type}; add it to scripts/generate/python/types.ts.`);
  }
}

function literalType(values: readonly unknown[]): string {
  const others = values.filter((value) => value !== null).map(literal);
  return unionOf([
    ...(others.length > 0 ? [`Literal[${others.join(', ')}]`] : []),
    ...(values.includes(null) ? ['None'] : []),
  ]);
}

function unionOf(types: readonly string[]): string {
  // `str` includes the texts that a value may also be, such as `me`.
  const distinct = [...new Set(types)].filter((type) => !type.startsWith('Literal["') || !types.includes('str'));
  return distinct.join(' | ');
}
