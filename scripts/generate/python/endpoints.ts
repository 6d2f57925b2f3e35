import { argumentNames, contract, deprecationText, routesOf, statusOf } from '@runward/contract';
import type { GeneratedFile } from '../generated-file.ts';
import { endpointOf } from '../operations.ts';
import { components, groupText, nameOf, operationOf, schemaOf, type Schema } from '../sdk/document.ts';
import { accessText, pascalCase } from '../sdk/methods.ts';
import { docstring, literal, pythonName } from './text.ts';
import { typeOf } from './types.ts';

const routes = routesOf({ ...contract });
const operations = Object.keys(routes);
const groups = [...new Set(operations.map(groupOf))];
const place = { prefix: 'm.', array: 'Sequence' } as const;

/** Whether methods wait, or return what is awaited. */
type Mode = 'sync' | 'async';

/** The methods of a client, and those of a client whose methods are awaited. */
export const pythonEndpoints: readonly GeneratedFile[] = [fileOf('sync'), fileOf('async')];

function fileOf(mode: Mode): GeneratedFile {
  const [caller, pages, download] = ['Caller', 'Pages', 'Download'].map((name) => named(name, mode));
  const tops = groups.filter((group) => !group.includes('.'));
  const code = `"""The methods of ${mode === 'sync' ? 'a client' : 'an asynchronous client'}, by group."""
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from .. import models as m
from .._file_input import BinaryInput
from .._options import Options, StaleReadOptions, VersionedOptions
from ..${mode === 'sync' ? '_caller' : '_async_caller'} import ${caller}
from ..download import ${download}
from ..paging import ${pages}
from .routes import ROUTES


${groups.map((group) => classOf(group, mode)).join('\n\n')}

class ${named('Endpoints', mode)}:
    """The methods of a client, by group."""

    def __init__(self, caller: ${caller}) -> None:
${tops.map((group) => memberOf(group, mode)).join('')}`;
  return { path: `clients/python/src/runward/generated/${mode}_endpoints.py`, code };
}

function classOf(group: string, mode: Mode): string {
  const within = groups.filter((each) => each !== group && groupOf(each) === group);
  const methods = operations.filter((id) => groupOf(id) === group).map((id) => methodOf(id, mode));
  return `class ${className(group, mode)}:
${docstring(groupText(group), '    ')}
    def __init__(self, caller: ${named('Caller', mode)}) -> None:
        self._caller = caller
${within.map((each) => memberOf(each, mode)).join('')}
${methods.join('\n')}`;
}

function memberOf(group: string, mode: Mode): string {
  return `        self.${pythonName(lastOf(group))} = ${className(group, mode)}(caller)\n`;
}

function methodOf(id: string, mode: Mode): string {
  const { parameters = [], requestBody, responses } = operationOf(id);
  const endpoint = endpointOf(id);
  const { returns } = routes[id] ?? {};
  const paths = argumentNames(endpoint.path);
  const body = schemaOf(requestBody);
  const query = parameters.filter((each) => each.in === 'query' && !(returns === 'list' && each.name === 'cursor'));
  const bodyType = body === undefined ? '' : typeOf(body, place).replace('FileInput', 'BinaryInput');
  const bodyIsOptional = requestBody?.required !== true;
  const taken = [
    'self',
    ...paths.map((name) => `${pythonName(name)}: str`),
    ...(body ? [`body: ${bodyType}${bodyIsOptional ? ' | None = None' : ''}`] : []),
    ...(query.length > 0 ? ['*', ...query.toSorted(requiredFirst).map(keywordOf)] : []),
    `**options: Unpack[${optionsOf(parameters)}]`,
  ];
  const sent = [
    `ROUTES[${literal(id)}]`,
    `[${paths.map(pythonName).join(', ')}]`,
    body ? 'body' : 'None',
    dictionaryOf(query.map(({ name }) => `${literal(name)}: ${pythonName(name)}`)),
    'options',
  ];
  const isAsync = mode === 'async' && returns !== 'list';
  const call = `${isAsync ? 'await ' : ''}self._caller.${returns === 'list' ? 'pages' : 'call'}(${sent.join(', ')})`;
  const success = schemaOf(responses[statusOf(endpoint)]) ?? {};
  const result = resultOf(returns, success, mode);
  const head = `    ${isAsync ? 'async ' : ''}def ${pythonName(lastOf(id))}(${taken.join(', ')}) -> ${result}:`;
  const shown =
    head.length <= 120 ? head : head.replace(/\((.*)\) ->/, () => `(\n        ${taken.join(',\n        ')},\n    ) ->`);
  return `${shown}
${docstring(documentation(id, [...described(parameters, 'path', paths), ...described(query, 'query')]), '        ')}        ${result === 'None' ? '' : 'return '}${call}
`;
}

function optionsOf(parameters: readonly { readonly $ref?: string }[]): string {
  const takes = (name: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`));
  if (takes('IfMatch')) return 'VersionedOptions';
  return takes('MaxStale') ? 'StaleReadOptions' : 'Options';
}

/** A dictionary, a line for each entry if there are several. */
function dictionaryOf(entries: readonly string[]): string {
  if (entries.length < 2) return `{${entries.join('')}}`;
  return `{\n${entries.map((entry) => `            ${entry},\n`).join('')}        }`;
}

function documentation(id: string, about: readonly string[]): string {
  const { summary, description, access, deprecated } = endpointOf(id);
  const statuses = Object.keys(operationOf(id).responses).filter((status) => Number(status) >= 400);
  return [
    `${summary}.`,
    description,
    accessText(access),
    deprecated === undefined ? '' : `Deprecated. ${deprecationText(deprecated)}`,
    about.length > 0 ? `Args:\n${about.join('\n')}` : '',
    `Raises:\n    ApiError: ${statuses.join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** What parameters mean. Those of a path have the names of the arguments. */
function described(
  parameters: readonly { readonly name: string; readonly in: string; readonly description?: string }[],
  kind: string,
  names?: readonly string[],
): string[] {
  return parameters
    .filter((each) => each.in === kind)
    .flatMap(({ name, description }, index) =>
      description ? [`    ${pythonName(names?.[index] ?? name)}: ${description.replaceAll('\n', ' ')}`] : [],
    );
}

function keywordOf({ name, schema, required }: { name: string; schema: Schema; required?: boolean }): string {
  const type = typeOf(schema, place);
  if (required) return `${pythonName(name)}: ${type}`;
  return `${pythonName(name)}: ${type.endsWith('None') ? type : `${type} | None`} = None`;
}

function requiredFirst(a: { readonly required?: boolean }, b: { readonly required?: boolean }): number {
  return Number(b.required ?? false) - Number(a.required ?? false);
}

function resultOf(returns: string | readonly string[] | undefined, success: Schema, mode: Mode): string {
  if (returns === undefined) return 'None';
  if (typeof returns === 'object') return named('Download', mode);
  const type = typeOf(success, { ...place, array: 'list' });
  if (returns === 'json') return type;
  const page = success.$ref === undefined ? success : components[nameOf(success.$ref)];
  return `${named('Pages', mode)}[${type}, ${typeOf(page?.properties?.['data']?.items ?? {}, place)}]`;
}

function className(group: string, mode: Mode): string {
  return named(`${pascalCase(group)}Methods`, mode);
}

function named(name: string, mode: Mode): string {
  return mode === 'sync' ? name : `Async${name}`;
}

function groupOf(name: string): string {
  return name.includes('.') ? name.replace(/\.\w+$/, '') : '';
}

function lastOf(name: string): string {
  return name.replace(/^.*\./, '');
}
