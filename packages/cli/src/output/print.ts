import { stringify } from 'csv-stringify/sync';
import { cell, checkFields, partOf, pick, type Layout } from './cells.ts';
import { printable, toJson } from './printable.ts';
import { pairs, table } from './table.ts';

/** The formats of `-o`. */
export const formats = ['table', 'json', 'jsonl', 'csv'] as const;

/** A format of `-o`. */
export type Format = (typeof formats)[number];

/** How data is written. */
export interface Output {
  readonly format: Format;
  /** Whether the person asked for that format; otherwise it follows from where the output goes. */
  readonly chosen: boolean;
  /** `--fields`; null is the default of the command. */
  readonly fields: readonly string[] | null;
}

/** Writes to the standard output: data only, so that it can be piped. */
export function write(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints records in any format: JSON as one array, JSONL and CSV while they come in. */
export async function printList(
  { format, fields }: Output,
  records: Iterable<unknown> | AsyncIterable<unknown>,
  layout: Layout,
): Promise<void> {
  const shape = (record: unknown) => (fields ? pick(record, fields, layout) : record);
  if (format === 'jsonl') {
    for await (const record of records) write(toJson(shape(record)));
    return;
  }
  if (format === 'csv') {
    let header: readonly string[] | null = null;
    for await (const record of records) {
      header ??= startCsv(fields ?? layout.fields, layout, record);
      write(csvLine(header.map((name) => cell(partOf(record, name)))));
    }
    if (header === null) startCsv(fields ?? layout.fields, layout, {});
    return;
  }
  const collected = await Array.fromAsync(records);
  if (format === 'json') return write(toJson(collected.map(shape), 2));

  const columns = fields ?? layout.columns;
  if (collected.length === 0) checkFields(columns, layout.fields);
  for (const record of collected) pick(record, columns, layout);
  write(
    table(
      columns,
      collected.map((record) => columns.map((name) => cell(partOf(record, name)))),
      terminalWidth(),
    ),
  );
}

/** Prints one record in any format; a table shows a line for each part. */
export async function printRecord(output: Output, record: unknown, layout: Layout): Promise<void> {
  const { format, fields } = output;
  if (format === 'csv' || format === 'jsonl') return printList(output, [record], layout);
  const shaped = fields ? pick(record, fields, layout) : record;
  if (format === 'json') return write(toJson(shaped, 2));
  const names = fields ?? layout.columns;
  write(pairs(names.map((name) => [name, cell(partOf(record, name))])));
}

/** The columns of the terminal; no limit when the output goes elsewhere. */
export function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : Infinity;
}

function startCsv(names: readonly string[], layout: Layout, record: unknown): readonly string[] {
  pick(record, names, layout);
  write(csvLine(names));
  return names;
}

function csvLine(cells: readonly string[]): string {
  const shown = process.stdout.isTTY ? cells.map(printable) : [...cells];
  // A cell that a spreadsheet would take for a formula gets an apostrophe before it.
  return stringify([shown], { escape_formulas: true });
}
