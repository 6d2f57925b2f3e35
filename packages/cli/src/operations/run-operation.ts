import type { Total } from '@runward/contract';
import type { Client, Download, List, ListPage, QueryValues } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { printPages, pageSize, type PagingOptions } from '../commands/list.ts';
import { isConfirmed } from '../deletion.ts';
import { usage } from '../errors.ts';
import { fields } from '../generated/fields.ts';
import { findRunTaskId } from '../lookup/run-task.ts';
import { partOf, type Layout } from '../output/cells.ts';
import { ensureNew, writeDownload } from '../output/download.ts';
import { layouts } from '../output/layouts.ts';
import { printList, printRecord } from '../output/print.ts';
import { toJson } from '../output/printable.ts';
import { lookups, nameOf } from './lookups.ts';
import { messages } from './messages.ts';
import type { OperationCommand, OperationOption } from './operation.ts';
import { shown } from './options.ts';
import { readBody } from './read-body.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Carries out an operation and prints its result.
 *
 * @throws CliError if an option is missing, or if a name fits no record, or several
 */
export async function runOperation(
  cli: Cli,
  operation: OperationCommand,
  texts: readonly string[],
  options: Options,
): Promise<void> {
  const { parameters, query, body: properties, changes, deletes, returns } = operation;
  const outputFile = options['outputFile'] as string | undefined;
  if (returns === 'content' && outputFile !== undefined && !options['force']) await ensureNew(cli.io, outputFile);
  const body = properties && (await readBody(cli.io, operation, options));
  const search = query && valuesOf(query, options);
  const missing = [
    ...(query ?? []).filter(({ name, required }) => required && search?.[name] === undefined),
    ...(properties ?? []).filter(({ name, required }) => required && body?.[name] === undefined),
  ];
  if (missing.length > 0) throw missingOptions(missing, operation);

  const layout = layoutOf(operation);
  const client = await (changes ? cli.connectToChange(layout) : cli.connect());
  const ids: string[] = [];
  for (const [index, { kind }] of parameters.entries()) {
    const [text = '', title] = texts.slice(index);
    if (kind === 'runTask') ids.push(await findRunTaskId(client, text, title));
    else ids.push(kind ? await lookups[kind].find(client, text, ids[0] ?? '') : text);
  }
  const found = search && (await withIds(client, query, search, ids[0]));
  const sent = body && (await withIds(client, properties, body, ids[0]));
  const { names, question, done } = messages[operation.operation] ?? {};
  const name = names ? await nameOf(client, names, ids.at(-1) ?? '', ids[0] ?? '') : '';
  const what = question?.(name) ?? `${[operation.summary, ...texts.map((text) => `"${text}"`)].join(' ')}?`;
  if (deletes && !(await isConfirmed(cli, options, what))) return;
  const paging: PagingOptions = returns === 'list' ? options : {};
  const args = [
    ...ids,
    ...(sent ? [sent] : []),
    ...(found ? [returns === 'list' ? { ...found, limit: pageSize(paging) } : found] : []),
  ];
  const response = call(client, operation, args);
  if (returns === 'list') return printPages(cli, response as List<ListPage & Total>, paging, layout);
  if (returns === 'content') return writeDownload(cli, (await response) as Download, outputFile);
  const result = await response;
  if (done) cli.info(done({ name, sent: sent ?? {}, response: result }));
  if (done && (result === undefined || (cli.output.isTerminal && !cli.output.chosen))) return;
  await print(cli, result, layout, operation);
}

/** Calls the method of the client. */
function call(client: Client, { operation }: OperationCommand, args: readonly unknown[]): unknown {
  const method = operation.split('.').reduce<unknown>((node, name) => partOf(node, name), client);
  return (method as (...args: readonly unknown[]) => unknown)(...args);
}

async function print(cli: Cli, response: unknown, layout: Layout, { deletes }: OperationCommand): Promise<void> {
  const { output } = cli;
  if (response === undefined) return cli.info(deletes ? 'Deleted.' : 'Done.');
  const data = partOf(response, 'data');
  // Only JSON has room for the properties of a page other than its records.
  if (Array.isArray(data) && (output.format !== 'json' || output.fields)) return printList(output, data, layout);
  if (Array.isArray(data) || layout.fields.length === 0) return output.write(toJson(response, 2));
  await printRecord(output, response, layout);
}

function layoutOf({ operation, model, columns }: OperationCommand): Layout {
  const own = layouts[operation];
  if (own) return own;
  const known = model ? fields[model] : [];
  // `portals.accessRules.list` lists access rules.
  const listed = /(\w+)\.list$/.exec(operation)?.[1]?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { columns: columns ?? known, fields: known, model, plural: listed };
}

function valuesOf(query: readonly OperationOption[], options: Options): Record<string, unknown> {
  return Object.fromEntries(query.flatMap(({ name }) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** The values with IDs in place of names. `parent` is the ID of the record that the first argument names. */
async function withIds(
  client: Client,
  options: readonly OperationOption[] = [],
  values: Readonly<Record<string, unknown>>,
  parent = '',
): Promise<QueryValues> {
  const resolved: Record<string, unknown> = { ...values };
  for (const { name, kind } of options) {
    const value = values[name];
    if (!kind || value === undefined || value === null) continue;
    const find = (text: unknown) => (typeof text === 'string' ? lookups[kind].find(client, text, parent) : text);
    resolved[name] = Array.isArray(value) ? [...new Set(await Promise.all(value.map(find)))] : await find(value);
  }
  return resolved as QueryValues;
}

function missingOptions(missing: readonly OperationOption[], { body, words }: OperationCommand) {
  const lines = missing.map((option) => `required option '${shown(option)}' not specified`);
  const takesInput = body && !body.some(({ type }) => type === 'file');
  return usage(...lines, ...(takesInput ? ['--input FILE takes the whole body.'] : []), `See: runward ${words} --help`);
}
