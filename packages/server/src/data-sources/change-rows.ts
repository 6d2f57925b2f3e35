import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';
import { newId } from '../ids.ts';
import type { CellChange } from './entities/data-source-row-change.ts';
import { lockSource, type SourceWithColumns } from './find-source.ts';
import { maximumProblems, parseCells, type Cells } from './parse-cells.ts';
import { findRows, outlineRows, type RowOutline } from './queries/find-rows.ts';
import { linksOf } from './queries/links.ts';
import {
  deleteRows,
  insertChanges,
  insertRows,
  lockExisting,
  updateRows,
  type RecordedChange,
  type RowsOf,
  type StoredRow,
} from './queries/write-rows.ts';
import { ensureRowLimit } from './row-limit.ts';
import { rowSizeProblem } from './row-size.ts';

interface RowInput {
  readonly cells: Cells;
  readonly active?: boolean | undefined;
}

/**
 * Creates rows, in the order of their ids. `pathOf` leads to a row of the request. Throws a 404, a 400 with every cell
 * that does not fit, or a 402, without creating any row.
 */
export async function createRows(
  context: RequestContext,
  dataSourceId: string,
  inputs: readonly RowInput[],
  pathOf: (index: number) => string,
): Promise<StoredRow[]> {
  const { em, now } = context;
  const locked = await lockSource(context, dataSourceId);
  const parsed = parseAll(locked, inputs, pathOf).map(withoutEmpty);
  ensureAll(parsed.map((cells, index) => rowSizeProblem(context, `${pathOf(index)}cells: the row`, cells)));
  await ensureRowLimit(context, inputs.length);

  const at = now.toISOString();
  const ids = inputs.map(newId).toSorted();
  const rows = parsed.map((cells, index) => ({
    id: ids[index] ?? '',
    active: inputs[index]?.active ?? true,
    cells,
    createdAt: at,
    updatedAt: at,
  }));
  await insertRows(em, rowsOf(locked), rows);
  const changes = rows.map((row) =>
    changeOf(context, row.id, 'CREATED', differences(locked.columns, {}, row.cells), row.active),
  );
  await insertChanges(em, changes);
  locked.source.revision += 1;
  locked.source.rowCount += rows.length;
  locked.source.activeRowCount += rows.filter(({ active }) => active).length;
  return rows;
}

/**
 * Applies the same changes to rows. Throws a 404 for the data source, a 400 that names each id that is not a row of it,
 * or a 400 with every cell that does not fit. Rows that do not differ afterwards are not written.
 */
export async function changeRows(
  context: RequestContext,
  dataSourceId: string,
  rowIds: readonly string[],
  { cells = {}, active }: { readonly [Property in keyof RowInput]?: RowInput[Property] | undefined },
  notFoundIn: (unknown: readonly number[]) => Error = unknownRows,
): Promise<void> {
  const { em, now, actor } = context;
  const locked = await lockSource(context, dataSourceId);
  const outlines = await existing(context, dataSourceId, rowIds, notFoundIn);
  const [parsed = {}] = parseAll(locked, [{ cells }], () => '');

  const tooLarge: (string | null)[] = [];
  let isChanged = false;
  for (const ids of batchesOf(outlines)) {
    const changed: StoredRow[] = [];
    const changes: RecordedChange[] = [];
    for (const row of await findRows(em, actor.organizationId, dataSourceId, ids)) {
      const { id, createdAt } = row;
      const next = { id, cells: withoutEmpty({ ...row.cells, ...parsed }), active: active ?? row.active, createdAt };
      const cellChanges = differences(locked.columns, row.cells, next.cells);
      const isToggled = next.active !== row.active;
      if (cellChanges.length === 0 && !isToggled) continue;
      changed.push(Object.assign(next, { updatedAt: now.toISOString() }));
      tooLarge.push(rowSizeProblem(context, `cells: the row ${id}`, next.cells, row.cells));
      changes.push(changeOf(context, id, 'UPDATED', cellChanges, isToggled ? next.active : null));
      locked.source.activeRowCount += isToggled ? (next.active ? 1 : -1) : 0;
    }
    if (changed.length === 0) continue;
    isChanged = true;
    await updateRows(em, rowsOf(locked), changed);
    await insertChanges(em, changes);
  }
  ensureAll(tooLarge);
  if (isChanged) locked.source.revision += 1;
}

/**
 * Deletes rows with their links. Throws a 404 for the data source, or a 400 that names each id that is not a row of it.
 */
export async function removeRows(
  context: RequestContext,
  dataSourceId: string,
  rowIds: readonly string[],
  notFoundIn: (unknown: readonly number[]) => Error = unknownRows,
): Promise<void> {
  const { em, actor } = context;
  const locked = await lockSource(context, dataSourceId);
  const rows = await existing(context, dataSourceId, rowIds, notFoundIn);
  const removed = new Set(rowIds);
  // The linked rows stay, and their timelines record why the links are gone.
  const links = await linksOf(em, actor.organizationId, rowIds);
  const unlinked = [
    ...links.map(({ columnId, fromRowId, toRowId }) => ({ rowId: fromRowId, columnId, before: toRowId })),
    ...links.map(({ columnId, fromRowId, toRowId }) => ({ rowId: toRowId, columnId, before: fromRowId })),
  ].filter(({ rowId }) => !removed.has(rowId));
  await deleteRows(em, { organizationId: actor.organizationId, dataSourceId }, rowIds);
  // Other requests may have deleted linked rows of other data sources meanwhile.
  const remaining = await lockExisting(
    em,
    actor.organizationId,
    unlinked.map(({ rowId }) => rowId),
  );
  const changes = unlinked
    .filter(({ rowId }) => remaining.has(rowId))
    .map(({ rowId, columnId, before }) => changeOf(context, rowId, 'UNLINKED', [{ columnId, before, after: null }]));
  await insertChanges(em, changes);
  locked.source.revision += 1;
  locked.source.rowCount -= rows.length;
  locked.source.activeRowCount -= rows.filter(({ active }) => active).length;
}

/** The 404 of an endpoint that names one row in its path. */
export function rowNotFound(): Error {
  return notFound('Row');
}

/** A change of a row by the caller. `active`: null if it did not change. */
export function changeOf(
  { actor, now }: RequestContext,
  rowId: string,
  type: RecordedChange['type'],
  changes: readonly CellChange[],
  active: boolean | null = null,
): RecordedChange {
  const { organizationId, type: actorType, userId: actorUserId, apiKeyId: actorApiKeyId } = actor;
  const author = { actorType, actorUserId, actorApiKeyId };
  return { organizationId, rowId, id: newId(), type, at: now.toISOString(), ...author, active, changes };
}

/** The rows of a locked data source, as queries take them. */
function rowsOf({ source, columns }: SourceWithColumns): RowsOf {
  return { organizationId: source.organizationId, dataSourceId: source.id, columns };
}

function parseAll(
  { columns }: SourceWithColumns,
  rows: readonly RowInput[],
  pathOf: (index: number) => string,
): Cells[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const problems: string[] = [];
  const parsed: Cells[] = [];
  for (const [index, { cells }] of rows.entries()) {
    const result = parseCells(byId, cells, `${pathOf(index)}cells`);
    problems.push(...result.problems);
    parsed.push(result.cells);
    if (problems.length <= maximumProblems) continue;
    const more = 'body: has more problems than these; correct them, then send it again';
    throw badRequest([...problems.slice(0, maximumProblems), more]);
  }
  if (problems.length > 0) throw badRequest(problems);
  return parsed;
}

async function existing(
  { em, actor: { organizationId } }: RequestContext,
  dataSourceId: string,
  rowIds: readonly string[],
  notFoundIn: (unknown: readonly number[]) => Error,
): Promise<RowOutline[]> {
  const rows = await outlineRows(em, organizationId, dataSourceId, rowIds);
  if (rows.length === rowIds.length) return rows;
  const known = new Set(rows.map(({ id }) => id));
  throw notFoundIn(rowIds.flatMap((id, index) => (known.has(id) ? [] : [index])));
}

function unknownRows(indexes: readonly number[]): Error {
  return badRequest(
    indexes.map((index) => `rowIds[${index}]: no row of this data source; see GET /data-sources/:id/rows`),
  );
}

/** Limits the memory for the rows of a batch. */
const batchBytes = 5_000_000;

/** The ids of rows, in batches that are read and written together. */
function* batchesOf(rows: readonly RowOutline[]): Generator<string[]> {
  let [batch, size]: [string[], number] = [[], 0];
  for (const { id, bytes } of rows) {
    if (batch.length > 0 && size + bytes > batchBytes) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(id);
    size += bytes;
  }
  yield batch;
}

function ensureAll(problems: readonly (string | null)[]): void {
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw badRequest(found);
}

function withoutEmpty(cells: Cells): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null));
}

/** The cells that differ, in the order of the columns. */
function differences(columns: readonly { readonly id: string }[], before: Cells, after: Cells): CellChange[] {
  return columns
    .map(({ id }) => ({ columnId: id, before: before[id] ?? null, after: after[id] ?? null }))
    .filter((change) => change.before !== change.after);
}
