import { createHash } from 'node:crypto';
import { refused } from '../errors.ts';
import { toBody, type LaunchBody, type LaunchRules } from '../launch/launch-body.ts';
import type { Mapping } from './mapping.ts';
import type { CsvFile } from './read-csv.ts';

/** A row that is ready to be launched. */
export interface LaunchRow {
  readonly line: number;
  /** Tells the row in the journal, also when the file was changed elsewhere. */
  readonly key: string;
  readonly body: LaunchBody;
}

/**
 * Checks all rows.
 *
 * @throws CliError listing every fault of every row by its line
 */
export function prepareRows(
  { rows, columns }: CsvFile,
  mapping: Mapping,
  rules: LaunchRules,
  keyColumn: string | undefined,
): LaunchRow[] {
  if (keyColumn !== undefined && !columns.includes(keyColumn)) {
    throw refused(`--key ${keyColumn}: there is no such column. There are: ${columns.join(', ')}.`);
  }
  const faults: string[] = [];
  const seen = new Map<string, number>();
  const prepared = rows.map(({ line, cells }): LaunchRow => {
    const { texts, faults: empty } = mapping(cells);
    const { body, faults: wrong } = toBody(texts, rules);
    faults.push(...[...empty, ...wrong].map((fault) => `line ${line}: ${fault}`));
    if (keyColumn === undefined) {
      const content = contentOf(body);
      const before = seen.get(content) ?? 0;
      seen.set(content, before + 1);
      return { line, body, key: `${digest(content)}#${before + 1}` };
    }
    const key = cells[keyColumn] ?? '';
    if (key === '') faults.push(`line ${line}: the key column "${keyColumn}" is empty`);
    const first = seen.get(key);
    if (key !== '' && first !== undefined)
      faults.push(`line ${line}: the key "${key}" is that of line ${first} already`);
    seen.set(key, first ?? line);
    return { line, body, key };
  });
  if (faults.length > 0) throw refused('Nothing was launched; correct these rows:', ...faults);
  return prepared;
}

/** The content of a launch as text: the same for bodies that launch the same. */
export function contentOf({ variables = {}, ...body }: LaunchBody): string {
  const sorted = Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([body.templateId, body.title, body.scheduledDateLocal, body.ownerEmail, sorted]);
}

/** A short name for a text. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
