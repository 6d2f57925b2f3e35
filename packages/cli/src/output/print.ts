import { once } from 'node:events';
import type { Io } from '../io.ts';
import { styled } from '../terminal/colors.ts';
import { printLine } from '../terminal/messages.ts';
import { cell, checkFields, partOf, pick, withParts, type Layout } from './cells.ts';
import { csvLine } from './csv-line.ts';
import type { Format } from './formats.ts';
import { pairs } from './pairs.ts';
import { printable, toJson } from './printable.ts';
import { readable } from './readable.ts';
import { table, type ColumnPriorities } from './table.ts';

/** How a command prints its data, and to where. */
export interface Output {
  readonly format: Format;
  /** Whether `-o` chose the format. By default it is a table on a terminal, and JSON elsewhere. */
  readonly chosen: boolean;
  /** The fields of `--fields`. Null means the default of the command. */
  readonly fields: readonly string[] | null;
  readonly isTerminal: boolean;
  /** The width of the terminal in columns; infinite elsewhere. */
  readonly width: number;
  /** Writes lines to stdout. */
  write(lines: string): void;
  /** Writes bytes to stdout unchanged, and waits until stdout can take more. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** Prints a remark to stderr if stdout is a terminal. */
  note(text: string): void;
  /** A text in bold, if stdout shows it. */
  bold(text: string): string;
}

/** The output of a command, on the stdout of its process. `beforeWrite` may throw to prevent a write. */
export function openOutput(
  io: Io,
  { output, fields }: { readonly output?: Format; readonly fields?: readonly string[] },
  beforeWrite: () => void,
): Output {
  const { stdout, env } = io;
  const isTerminal = stdout.isTTY === true;
  return {
    format: output ?? (isTerminal ? 'table' : 'json'),
    chosen: output !== undefined,
    fields: fields ?? null,
    isTerminal,
    width: isTerminal ? (stdout.columns ?? Infinity) : Infinity,
    write(lines) {
      beforeWrite();
      stdout.write(lines.endsWith('\n') ? lines : `${lines}\n`);
    },
    async writeBytes(bytes) {
      beforeWrite();
      if (!stdout.write(bytes)) await once(stdout, 'drain');
    },
    note(text) {
      beforeWrite();
      if (isTerminal) printLine(io, text);
    },
    bold: (text) => styled('bold', text, stdout, env),
  };
}

/**
 * Prints records: JSON as one array, JSONL and CSV line by line as they arrive. On a terminal, an empty table is a
 * sentence.
 */
export async function printList(
  output: Output,
  records: Iterable<unknown> | AsyncIterable<unknown>,
  given: Layout,
): Promise<void> {
  const { format, fields } = output;
  const layout = await withParts(given, fields);
  const shape = (record: unknown) => (fields ? pick(record, fields, layout) : record);
  if (format === 'jsonl') {
    let isEmpty = true;
    for await (const record of records) {
      isEmpty = false;
      output.write(toJson(shape(record)));
    }
    if (isEmpty) checkFields(fields ?? [], layout);
    return;
  }
  if (format === 'csv') {
    let header: readonly string[] | null = null;
    for await (const record of records) {
      header ??= startCsv(output, layout, record);
      output.write(
        shownLine(
          output,
          header.map((name) => cell(partOf(record, name))),
        ),
      );
    }
    if (header === null) startCsv(output, layout, {});
    return;
  }
  const collected = await Array.fromAsync(records);
  const columns = fields ?? layout.columns;
  if (collected.length === 0) checkFields(columns, layout);
  if (format === 'json') return output.write(toJson(collected.map(shape), 2));

  if (collected.length === 0) return output.note(`No ${layout.plural ?? 'records'} found.`);
  for (const record of collected) pick(record, columns, layout);
  const print = (some: readonly unknown[]) =>
    printTable(
      output,
      columns,
      some.map((record) => columns.map((name) => textOf(output, record, name))),
      layout,
    );
  const { groups } = layout;
  if (!groups || fields) return print(collected);
  const divided = Map.groupBy(collected, (record) => partOf(record, groups.field));
  for (const [index, [value, some]] of [...divided].entries()) {
    output.write(`${index === 0 ? '' : '\n'}${output.bold(groups.headings[String(value)] ?? String(value))}`);
    print(some);
  }
}

/**
 * Prints rows of text under a header, cut to the width of the terminal. Columns of IDs may be left out, unless
 * `--fields` names columns.
 */
export function printTable(
  output: Output,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  priorities: ColumnPriorities = {},
): void {
  output.write(table(columns, rows, { ...output, complete: output.fields !== null }, priorities));
}

/** Prints one record. A table has one line per field. */
export async function printRecord(output: Output, record: unknown, given: Layout): Promise<void> {
  const { format, fields } = output;
  if (format === 'csv' || format === 'jsonl') return printList(output, [record], given);
  const layout = await withParts(given, fields);
  const shaped = fields ? pick(record, fields, layout) : record;
  if (format === 'json') return output.write(toJson(shaped, 2));
  const names = fields ?? layout.columns;
  output.write(
    pairs(
      names.map((name) => [name, textOf(output, record, name)]),
      output,
    ),
  );
  if (!layout.below || fields) return;
  output.write('');
  await printList(output, partOf(record, layout.below.field) as readonly unknown[], layout.below.layout);
}

/** A field in a table. If the reader is a program, the values are the same as in the other formats. */
function textOf({ isTerminal }: Output, record: unknown, name: string): string {
  return isTerminal ? readable(record, name) : cell(partOf(record, name));
}

function startCsv(output: Output, layout: Layout, record: unknown): readonly string[] {
  const names = output.fields ?? layout.fields;
  pick(record, names, layout);
  output.write(shownLine(output, names));
  return names;
}

function shownLine({ isTerminal }: Output, cells: readonly string[]): string {
  return csvLine(isTerminal ? cells.map(printable) : cells);
}
