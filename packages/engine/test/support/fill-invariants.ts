import assert from 'node:assert/strict';
import type { Fact, FieldDefinition, FactOf, RunState } from '@runward/engine';
import { validValues } from './document-arbitraries.ts';
import type { Decided } from './invariants.ts';

type Submitted = FactOf<'value.submitted'>;
type Change = Pick<Submitted, 'fieldId' | 'value' | 'rowLabel' | 'filledFrom'>;

/** Throws unless a submission records exactly its own values, then what its lookups fill and clear. */
export function checkFills(decided: Decided, facts: readonly Fact[], state: RunState): void {
  const submitted = facts.filter((fact) => fact.type === 'value.submitted');
  const { command } = decided;
  if (command.type !== 'submitValues') {
    assert(!submitted.some(({ filledFrom }) => filledFrom !== undefined), `${command.type} filled a field`);
    return;
  }
  const expected = expectedChanges(decided);
  assert.deepEqual(submitted.map(changeOf), expected, 'a submission recorded other values than it should');
  everyValueIsTheLastOfItsFacts(decided.facts, state);
}

/** The lookup cases that a decision covers; see `everyFill` in the property test. */
export function fillCases({ command, before }: Pick<Decided, 'command' | 'before'>, facts: readonly Fact[]): string[] {
  if (command.type !== 'submitValues') return [];
  const fills = facts.filter((fact) => fact.type === 'value.submitted' && fact.filledFrom !== undefined);
  const place = placeOf(before, command.entryId);
  const lookups = command.values.filter(({ row }) => row);
  const named = new Set(command.values.map(({ fieldId }) => fieldId));
  const targets = lookups.flatMap(
    ({ row }) => row?.fills.map((fill) => ({ ...fill, field: place?.fields.get(fill.fieldId) })) ?? [],
  );
  const cleared = command.values.filter(
    ({ value, fieldId }) => value === null && place?.fields.get(fieldId)?.dataSource,
  );
  const current = (fieldId: string) => place?.entry.values.find((value) => value.fieldId === fieldId);
  const isFilled = (fieldId: string) => current(fieldId)?.filledFrom && current(fieldId)?.value !== null;
  return [
    ...fills.map((fact) =>
      fact.type === 'value.submitted' && fact.value === null ? 'a field was cleared' : 'a field was filled',
    ),
    ...(cleared.length > 0 && fills.length > 0 ? ['clearing a look-up cleared a field'] : []),
    ...(targets.some(({ fieldId }) => named.has(fieldId)) ? ['the submission named a target'] : []),
    ...(targets.some(({ field, value }) => field && value !== null && !fits(field, value))
      ? ['a cell did not fit']
      : []),
    ...(targets.some(({ fieldId }) => isFilled(fieldId)) ? ['a target had been filled before'] : []),
    ...cleared.flatMap(({ fieldId }) =>
      (place?.fields.get(fieldId)?.dataSource?.autoFill ?? []).flatMap((target) => {
        const value = current(target.fieldId);
        return value && value.value !== null && value.filledFrom !== fieldId ? ['a target had been changed since'] : [];
      }),
    ),
  ];
}

/**
 * A model of the changes of a submission. If a lookup has several values, the last one counts. Its targets get the
 * cells of the row. A target without a fitting cell loses the value that this lookup gave it. A target does not change
 * if it is hidden, if the submission names it, or if an earlier lookup of the submission has changed it.
 */
function expectedChanges({ command, before }: Decided): Change[] {
  assert(command.type === 'submitValues');
  const place = placeOf(before, command.entryId);
  assert(place, 'values were submitted to an entry that does not exist');
  const changes: Change[] = command.values.map(({ fieldId, value, row }) =>
    plain({ fieldId, value, rowLabel: row?.label, filledFrom: undefined }),
  );
  const settled = new Set([...command.values.map(({ fieldId }) => fieldId), ...place.hidden]);
  for (const { fieldId: lookupId, value, row } of command.values) {
    const last = command.values.findLast(({ fieldId }) => fieldId === lookupId);
    if (last?.row !== row || last?.value !== value) continue;
    for (const { fieldId } of place.fields.get(lookupId)?.dataSource?.autoFill ?? []) {
      const field = place.fields.get(fieldId);
      if (!field || settled.has(fieldId)) continue;
      const cell = value === null ? null : (row?.fills.find((fill) => fill.fieldId === fieldId)?.value ?? null);
      const current = place.entry.values.find((one) => one.fieldId === fieldId);
      const isOwn = current?.filledFrom === lookupId && current.value !== null;
      if (cell !== null && fits(field, cell)) changes.push(plain({ fieldId, value: cell, filledFrom: lookupId }));
      else if (isOwn) changes.push(plain({ fieldId, value: null, filledFrom: lookupId }));
      else continue;
      settled.add(fieldId);
    }
  }
  return changes;
}

/**
 * Among the generated cells, only the valid value of the type fits, except that any text fits a text field. A version
 * can lack an option.
 */
function fits({ type, options }: FieldDefinition, value: Submitted['value']): boolean {
  if (type === 'TEXT') return typeof value === 'string';
  const keys = type === 'DROPDOWN' || type === 'MULTI_SELECT' ? [value].flat() : [];
  const isValid = JSON.stringify(validValues[type as keyof typeof validValues]) === JSON.stringify(value);
  return isValid && keys.every((key) => options.some((option) => option.key === key));
}

/** The current value must be the one in the last fact about it. */
function everyValueIsTheLastOfItsFacts(facts: readonly Fact[], state: RunState): void {
  const last = new Map(
    facts.flatMap((fact) => (fact.type === 'value.submitted' ? [[fact.fieldValueId, fact] as const] : [])),
  );
  for (const { id, fieldId, rowLabel, filledFrom } of state.tasks.flatMap((task) =>
    task.entries.flatMap(({ values }) => values),
  )) {
    const fact = last.get(id);
    // Uploads attach files without a submission.
    if (!fact) continue;
    assert.deepEqual(
      { fieldId, rowLabel, filledFrom },
      { fieldId: fact.fieldId, rowLabel: fact.rowLabel ?? null, filledFrom: fact.filledFrom ?? null },
    );
  }
}

function placeOf({ tasks }: RunState, entryId: string) {
  for (const { definition, hiddenFieldIds: hidden, entries } of tasks) {
    const entry = entries.find(({ id }) => id === entryId);
    if (entry) return { entry, hidden, fields: new Map(definition.fields.map((field) => [field.id, field])) };
  }
  return undefined;
}

function changeOf({ fieldId, value, rowLabel, filledFrom }: Submitted): Change {
  return plain({ fieldId, value, rowLabel, filledFrom });
}

/** Without what is undefined. */
function plain({
  rowLabel,
  filledFrom,
  ...change
}: {
  fieldId: string;
  value: Submitted['value'];
  rowLabel?: string | undefined;
  filledFrom?: string | undefined;
}): Change {
  return { ...change, ...(rowLabel !== undefined && { rowLabel }), ...(filledFrom !== undefined && { filledFrom }) };
}
