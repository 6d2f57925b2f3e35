import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import { parse } from 'csv-parse/sync';

/** A row of `examples/new-hires.csv`. */
export interface NewHire {
  readonly name: string;
  /** The day they start, like 2027-01-04. */
  readonly startDate: string;
  /** The variables of the launch: all columns but the date, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

const path = join(repository, 'examples', 'new-hires.csv');
const day = 24 * 60 * 60 * 1000;

/**
 * The first `count` new hires of the file, or all. Their start dates are moved by whole weeks, so that the first is one
 * to two weeks ahead whenever the demo runs. Only the runs that the demo makes overdue are then overdue.
 */
export async function readNewHires(count: number | undefined, today: Date): Promise<NewHire[]> {
  const rows = parse<Record<string, string>>(await readFile(path), { columns: true, bom: true, skipEmptyLines: true });
  const first = Math.min(...rows.map((row) => Date.parse(row['start_date'] ?? '')));
  const weeks = Math.ceil((today.getTime() + 7 * day - first) / (7 * day));
  return rows.slice(0, count).map(({ start_date: startDate = '', ...variables }) => ({
    name: variables['new_hire_name'] ?? '',
    startDate: new Date(Date.parse(startDate) + weeks * 7 * day).toISOString().slice(0, 10),
    variables,
  }));
}
