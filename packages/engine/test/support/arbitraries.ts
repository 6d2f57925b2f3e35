import type { FieldValue } from '@runward/contract';
import type { Command, EntryState, FieldDefinition, Instant, RunState } from '@runward/engine';
import * as fc from 'fast-check';
import { commentCommand } from '../decide/comment-invariants.ts';
import { at, instantOf } from './calendar.ts';
import { copied, validFileId, validValues, valueFor } from './document-arbitraries.ts';
import { hasTargets, rowValues } from './row-values.ts';
import type { Version } from './versions.ts';

const kinds = {
  rename: 1,
  complete: 1,
  cancel: 1,
  reopen: 4,
  archive: 1,
  unarchive: 1,
  setTaskStatus: 3,
  setDueDate: 3,
  assign: 1,
  forceUnblock: 1,
  grantApproval: 6,
  rejectApproval: 4,
  openEntry: 5,
  submitValues: 2,
  submitValidValues: 5,
  submitRow: 9,
  attachFile: 4,
  removeFile: 2,
  removeInfected: 2,
  completeEntry: 6,
  submitForm: 8,
  reopenEntry: 2,
  discardEntry: 4,
  detectOverdue: 3,
  moveDeadlines: 3,
  addComment: 3,
  editComment: 1,
  deleteComment: 1,
  migrate: 2,
  syncRules: 2,
} as const;

/** A command that is not yet bound to a state. Its numbers select tasks, entries and fields of that state. */
export interface Step {
  readonly kind: keyof typeof kinds;
  /** Minutes since the previous step. Sometimes negative, because clocks are adjusted. */
  readonly minutes: number;
  readonly pick: number;
  readonly flag: boolean;
  readonly dueIn: number | null;
  readonly key: string | null;
  readonly user: string;
  readonly groupIds: readonly string[];
  readonly users: readonly [string | null | undefined, string | null | undefined];
  readonly values: readonly { readonly pick: number; readonly value: FieldValue }[];
}

const anyValue: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.constantFrom<FieldValue>(
    null,
    '',
    '  ',
    'xl',
    12.5,
    true,
    ['s', 's'],
    [],
    ...Object.values(validValues).map(copied),
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

/** Sequences of steps of every kind. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      ...(Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => ({
        weight: kinds[kind],
        arbitrary: fc.constant(kind),
      })),
    ),
    minutes: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 600 }) },
      { weight: 1, arbitrary: fc.constant(-5) },
    ),
    pick: fc.nat({ max: 29 }),
    flag: fc.boolean(),
    dueIn: fc.option(fc.integer({ min: -600, max: 1200 })),
    key: fc.constantFrom(null, 'key-1', 'key-2', 'constructor'),
    user: fc.constantFrom('ada', 'grace', 'linus'),
    groupIds: fc.subarray(['drivers', 'nurses', 'cooks']),
    users: fc.tuple(fc.constantFrom(undefined, null, 'ada', 'grace'), fc.constantFrom(undefined, null, 'drivers')),
    values: fc.array(fc.record({ pick: fc.nat({ max: 29 }), value: anyValue }), { maxLength: 3 }),
  }),
  { maxLength: 60, size: 'max' },
);

/**
 * Turns a step into a command on a state. A selected part may not exist. `newId` is different for each step. Without
 * `versions` the run keeps its version.
 */
export function commandOf(
  step: Step,
  run: RunState,
  now: Instant,
  newId: string,
  versions: readonly Version[] = [{ id: run.templateVersionId, document: run.document }],
): Command {
  const { kind, pick, flag, user: userId } = step;
  const entries = run.tasks.flatMap((one) => one.entries.map((entry) => ({ entry, fields: one.definition.fields })));
  const runTaskId = picked(run.tasks, pick)?.id ?? 'nowhere';
  const { entry, fields } = picked(entries, pick) ?? { entry: nobody, fields: [] };
  const entryId = entry.id;
  switch (kind) {
    case 'rename':
      return { type: kind, title: `Title ${pick % 2}` };
    case 'setTaskStatus':
      return { type: kind, runTaskId, status: flag ? 'COMPLETED' : 'PENDING', userId };
    case 'setDueDate': {
      const dueAt = step.dueIn === null ? null : instantOf(Date.parse(now) + step.dueIn * 60_000);
      return { type: kind, runTaskId, dueAt, dueAtHasTime: step.key === null ? undefined : flag };
    }
    case 'assign':
      return { type: kind, runTaskId, assigneeId: step.users[0], assigneeGroupId: step.users[1] };
    case 'forceUnblock':
      return { type: kind, runTaskId };
    case 'grantApproval':
    case 'rejectApproval': {
      const comment = `Comment ${newId}`;
      // Most tasks have nothing to decide, and the same member rarely decides twice.
      const waiting = run.tasks.filter(({ approval }) => approval?.status === 'REQUESTED');
      const decided = flag ? picked(waiting, pick) : undefined;
      const again = step.key === 'key-1' ? decided?.approval?.decisions[0]?.userId : undefined;
      const who = { userId: again ?? userId, groupIds: step.groupIds };
      return { type: kind, runTaskId: decided?.id ?? runTaskId, comment, ...who };
    }
    case 'openEntry':
      return { type: kind, runTaskId, entryId: `entry-${newId}`, userId };
    case 'submitValues': {
      const values = step.values.map(({ pick, value }, index) => ({
        fieldId: picked(fields, pick)?.id ?? 'no-field',
        fieldValueId: `value-${newId}-${index}`,
        value,
      }));
      return { type: kind, entryId, values, userId };
    }
    case 'submitValidValues': {
      const values = fields.map((one, index) => ({
        fieldId: one.id,
        fieldValueId: `value-${newId}-${index}`,
        value: one.type === 'FILE_UPLOAD' ? attachedTo(entry, one) : valueFor(one, pick),
      }));
      return { type: 'submitValues', entryId, values, userId };
    }
    case 'submitRow': {
      // Few entries have a look-up, and fewer one that has filled something.
      const open = entries.filter((one) => one.entry.status === 'OPEN' && one.fields.some(hasTargets));
      const filled = open.find((one) => flag && one.entry.values.some(({ filledFrom }) => filledFrom !== null));
      const form = filled ?? picked(open, pick) ?? { entry, fields };
      const values = rowValues(step, form.fields, newId, filled !== undefined);
      return { type: 'submitValues', entryId: form.entry.id, values, userId };
    }
    case 'attachFile': {
      const fieldId =
        (fields.find(({ type }) => type === 'FILE_UPLOAD' && flag) ?? picked(fields, pick))?.id ?? 'no-field';
      const fileId = flag ? `01890c3e-5f3a-7cc1-9a56-${newId.replaceAll(/\D/g, '').padStart(12, '0')}` : validFileId;
      return { type: kind, entryId, fieldId, fileId, fieldValueId: `value-${newId}`, userId };
    }
    case 'removeFile':
    case 'removeInfected': {
      // Few entries hold files.
      const holdsFile = ({ values }: Pick<EntryState, 'values'>) => values.some(({ value }) => Array.isArray(value));
      const holder = (flag ? entries.find((one) => holdsFile(one.entry))?.entry : undefined) ?? entry;
      const { fieldId, value } = holder.values.find(({ value }) => Array.isArray(value)) ?? {
        fieldId: 'no-field',
        value: [],
      };
      const fileId = [value].flat().find((id) => typeof id === 'string') ?? validFileId;
      return { type: kind, entryId: holder.id, fieldId, fileId, userId };
    }
    case 'completeEntry':
      return { type: kind, entryId, idempotencyKey: step.key, userId };
    case 'submitForm': {
      // Targets the selected task or entry, with valid or arbitrary values. Most forms are completed.
      const named = picked(run.tasks, pick);
      const form = step.dueIn === null ? { entryId } : { runTaskId, newEntryId: `entry-${newId}` };
      const ofForm = ('entryId' in form ? fields : named?.definition.fields) ?? [];
      const values = ofForm
        .filter(({ type }) => flag && type !== 'FILE_UPLOAD')
        .map((one) => ({ fieldId: one.id, value: valueFor(one, pick) }));
      const others = step.values.map(({ pick, value }) => ({ fieldId: picked(ofForm, pick)?.id ?? 'no-field', value }));
      const submitted = (flag ? values : others).map(({ fieldId, value }, index) => {
        return { fieldId, fieldValueId: `value-${newId}-${index}`, value };
      });
      const completion = pick % 4 === 0 ? null : { idempotencyKey: step.key };
      return { type: kind, form, values: submitted, completion, userId };
    }
    case 'reopenEntry':
      return { type: kind, entryId };
    case 'discardEntry':
      return { type: kind, entryId, userId };
    case 'migrate': {
      const { id: toVersionId, document } = versionAt(versions, pick);
      const runTaskIds = document.tasks.map(({ id }) => `${id.replace('task-', '')}-${newId}`);
      return { type: kind, toVersionId, document, runTaskIds };
    }
    case 'syncRules': {
      const { id: templateVersionId, document } = versionAt(versions, pick);
      const earlierVersionIds = versions.slice(0, pick % versions.length).map(({ id }) => id);
      const rulesVersionId = run.rulesVersionId ?? run.templateVersionId;
      const rulesBefore = versions.find(({ id }) => id === rulesVersionId)?.document ?? run.document;
      return { type: kind, templateVersionId, document, earlierVersionIds, rulesBefore };
    }
    case 'addComment':
    case 'editComment':
    case 'deleteComment':
      return commentCommand(kind, step, runTaskId, newId);
    case 'complete':
    case 'cancel':
    case 'reopen':
    case 'archive':
    case 'unarchive':
    case 'detectOverdue':
    case 'moveDeadlines':
      return { type: kind };
  }
}

const nobody: Pick<EntryState, 'id' | 'values'> = { id: 'nobody', values: [] };

/** The time at which every run is launched. */
export const launchedAt = at('09:00');

function versionAt(versions: readonly Version[], pick: number): Version {
  const version = versions[pick % versions.length];
  if (!version) throw new Error('There are no versions.');
  return version;
}

function picked<T>(list: readonly T[], pick: number): T | undefined {
  return pick === 29 ? undefined : list[pick % list.length];
}

/** The files of a field, in the opposite order. */
function attachedTo({ values }: Pick<EntryState, 'values'>, { id }: FieldDefinition): FieldValue {
  const value = values.find(({ fieldId }) => fieldId === id)?.value ?? null;
  return Array.isArray(value) ? value.toReversed() : value;
}
