import type { GeneratedFile } from '../generated-file.ts';
import { homes } from '../sdk-types.ts';
import { components, type Schema } from '../sdk/document.ts';
import { docstring, isName, literal } from './text.ts';
import { typeOf } from './types.ts';

const place = { prefix: '', array: 'list' } as const;

/** The types of what requests and responses contain. */
export const pythonModels: GeneratedFile = {
  path: 'clients/python/src/runward/models.py',
  code: `"""The types of what requests and responses contain. Their keys are those of the JSON."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from ._file_input import FileInput

${['ErrorCode', ...homes.keys()].toSorted().map(declarationOf).join('\n\n')}`,
};

function declarationOf(name: string): string {
  const schema = components[name];
  if (!schema) throw new Error(`The OpenAPI document has no component ${name}.`);
  if (!schema.properties || schema.oneOf) return aliasOf(name, schema);
  const fields = Object.entries(schema.properties);
  return fields.every(([key]) => isName(key)) ? classOf(name, schema, fields) : functionOf(name, schema, fields);
}

/** In quotes, so that it can name what is declared below. */
function aliasOf(name: string, schema: Schema): string {
  const type = typeOf(schema, place);
  const quoted = type.includes('"') ? `'${type}'` : `"${type}"`;
  return `${name}: TypeAlias = ${quoted}\n${docstring(schema.description ?? '', '')}`;
}

function classOf(name: string, schema: Schema, fields: readonly (readonly [string, Schema])[]): string {
  const lines = fields.map(
    ([key, value]) => `    ${key}: ${fieldType(key, value, schema)}\n${docstring(value.description ?? '', '    ')}`,
  );
  const doc = docstring(schema.description ?? '', '    ');
  return `class ${name}(TypedDict):\n${doc}${doc === '' ? '' : '\n'}${lines.join('') || '    pass\n'}`;
}

/** The form that takes keys that are no names, such as \`from\`. */
function functionOf(name: string, schema: Schema, fields: readonly (readonly [string, Schema])[]): string {
  const lines = fields.map(([key, value]) => {
    const type = typeOf(value, place);
    const quoted = type.includes('"') ? `'${type}'` : `"${type}"`;
    return `        ${literal(key)}: ${schema.required?.includes(key) ? quoted : `NotRequired[${quoted}]`},\n`;
  });
  const head = `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
  return `${head}${docstring(schema.description ?? '', '')}`;
}

function fieldType(key: string, value: Schema, { required = [] }: Schema): string {
  const type = typeOf(value, place);
  return required.includes(key) ? type : `NotRequired[${type}]`;
}
