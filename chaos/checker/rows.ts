import type { Violation } from '../history/history.ts';
import type { RowHistory, RowOperation, WrittenRow } from '../history/row-history.ts';

/** A possible state of a batch in the database: the version of all its rows, or `none` if it has no rows. */
type Outcome = number | 'none';

/**
 * Checks rows. A bulk request writes all of its rows or none, so all rows of a batch have the version from its last
 * successful request. The timeline of a row has every version once. The row count of the data source is exact.
 */
export function checkRows({ operations, counts, rows }: RowHistory): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const byBatch = Map.groupBy(rows, ({ batch }) => batch);
  const requested = Map.groupBy(operations, ({ batch }) => batch);

  for (const [batch, written] of byBatch) {
    if (!requested.has(batch))
      report('phantom', `${written.length} rows of the batch ${batch}, which no writer created`);
  }
  for (const [batch, ofBatch] of requested) {
    for (const { kind, status, message = '' } of ofBatch) {
      if (status !== null && status >= 400) report('rejected', `${kind} of the batch ${batch}: ${status} ${message}`);
    }
    const found = outcomeOf(ofBatch, byBatch.get(batch) ?? []);
    if (found === 'mixed') {
      report('rows written in part', `the batch ${batch} has ${describe(byBatch.get(batch) ?? [])}`);
    } else if (!possibleOutcomes(ofBatch).includes(found)) {
      report(
        'lost rows',
        `the batch ${batch} has version ${found} instead of ${possibleOutcomes(ofBatch).join(' or ')}`,
      );
    }
  }
  for (const row of rows) {
    const problem = problemOfTimeline(row);
    if (problem) report('row differs from timeline', `row ${row.id} of the batch ${row.batch}: ${problem}`);
  }
  const actual = { rowCount: rows.length, activeRowCount: rows.filter(({ active }) => active).length };
  for (const count of ['rowCount', 'activeRowCount'] as const) {
    if (counts[count] !== actual[count])
      report('wrong row count', `${count} is ${counts[count]}, not ${actual[count]}`);
  }
  return violations;
}

/** What the rows of a batch have in common. */
function outcomeOf([first]: readonly RowOperation[], rows: readonly WrittenRow[]): Outcome | 'mixed' {
  const versions = new Set(rows.map(({ version }) => version));
  const [version, ...others] = versions;
  if (version === undefined) return 'none';
  return others.length > 0 || rows.length !== first?.size ? 'mixed' : version;
}

/**
 * The states that a batch may have. After a request without a response, its writer leaves the batch, so only the last
 * request may or may not have been applied.
 */
function possibleOutcomes(operations: readonly RowOperation[]): Outcome[] {
  const after = ({ kind, version }: RowOperation): Outcome => (kind === 'delete' ? 'none' : version);
  const last = operations.findLast(({ status }) => status !== null && status < 400);
  const unknown = operations.filter(({ status }) => status === null);
  return [last ? after(last) : 'none', ...unknown.map(after)];
}

/** Why the timeline of a row does not lead to its current state. Null if it does. */
function problemOfTimeline({ version, active, changes }: WrittenRow): string | null {
  for (const [index, change] of changes.entries()) {
    const expected = {
      type: index === 0 ? 'CREATED' : 'UPDATED',
      before: index === 0 ? null : index - 1,
      after: index,
      active: index % 2 === 0,
    };
    const differs = (['type', 'before', 'after', 'active'] as const).find((name) => change[name] !== expected[name]);
    if (differs) return `change ${index + 1} has ${differs} ${change[differs]}, not ${expected[differs]}`;
  }
  if (changes.length !== version + 1) return `it has version ${version} and ${changes.length} changes`;
  return active === (version % 2 === 0) ? null : `it is ${active ? '' : 'not '}active at version ${version}`;
}

function describe(rows: readonly WrittenRow[]): string {
  const counts = [...Map.groupBy(rows, ({ version }) => version)].map(
    ([version, of]) => `${of.length} rows of version ${version}`,
  );
  return counts.join(', ');
}
