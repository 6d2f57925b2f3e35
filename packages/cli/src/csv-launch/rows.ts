import { hash } from 'node:crypto';
import { rejected, rejectedLines } from '../errors.ts';
import { toBody, type LaunchBody, type LaunchRules } from '../launch/launch-body.ts';
import type { Mapping } from './mapping.ts';
import type { CsvFile } from './read-csv.ts';

/** A row that is ready to be launched. */
export interface LaunchRow {
  readonly line: number;
  /** Identifies the row in the journal. It does not depend on the other rows of the file. */
  readonly key: string;
  readonly body: LaunchBody;
}

/**
 * Checks all rows.
 *
 * @throws CliError listing every error with the line of its row
 */
export function prepareRows(
  { rows, columns }: CsvFile,
  mapping: Mapping,
  rules: LaunchRules,
  keyColumn: string | undefined,
): LaunchRow[] {
  if (keyColumn !== undefined && !columns.includes(keyColumn)) {
    throw rejected(`--key ${keyColumn}: there is no such column. The columns are: ${columns.join(', ')}.`);
  }
  const errors: string[] = [];
  const seen = new Map<string, number>();
  const prepared = rows.map(({ line, cells }): LaunchRow => {
    const { texts, errors: mappingErrors, emptyColumns } = mapping(cells);
    const { body, errors: bodyErrors, missing } = toBody(texts, rules);
    const missingErrors = missing.map((name) => missingError(name, emptyColumns.get(name)));
    errors.push(...[...mappingErrors, ...bodyErrors, ...missingErrors].map((error) => `line ${line}: ${error}`));
    if (keyColumn === undefined) {
      const content = contentOf(body);
      const before = seen.get(content) ?? 0;
      seen.set(content, before + 1);
      return { line, body, key: `${digest(content)}#${before + 1}` };
    }
    const key = cells[keyColumn] ?? '';
    if (key === '') errors.push(`line ${line}: the key column "${keyColumn}" is empty`);
    const first = seen.get(key);
    if (key !== '' && first !== undefined) errors.push(`line ${line}: line ${first} already has the key "${key}"`);
    seen.set(key, first ?? line);
    return { line, body, key };
  });
  if (errors.length > 0) throw rejectedLines('Nothing was launched. Correct these rows:', errors);
  return prepared;
}

function missingError(name: string, column: string | undefined): string {
  const remedy =
    column === undefined
      ? `add --map var.${name}=COLUMN or --var ${name}=VALUE`
      : `the column "${column}" is empty; fill it in`;
  return `var.${name}: the template requires a value; ${remedy}`;
}

/** The content of a launch as text. Equal texts mean equal runs. */
export function contentOf({ variables, ...body }: LaunchBody): string {
  const sorted = Object.entries(variables ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([body.templateId, body.title, body.scheduledDateLocal, body.ownerEmail, sorted]);
}

/** The first 32 hex digits of the SHA-256 of a text. */
function digest(text: string): string {
  return hash('sha256', text).slice(0, 32);
}
