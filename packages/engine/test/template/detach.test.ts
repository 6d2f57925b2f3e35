import { formats } from '@runward/contract';
import { detachDocument, diff, duplicateDocument, validate, type Change, type ProcessDocument } from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';
import { documents } from '../support/document-arbitraries.ts';
import { field, frozen, processOf, task } from '../support/documents.ts';
import { counter } from '../support/edits.ts';

/** Documents that name members and groups: as assignees, in the actions of rules, and in conditions on USER fields. */
const populated = fc
  .tuple(documents, fc.array(fc.nat({ max: 5 }), { maxLength: 4 }))
  .map(([document, picked]): ProcessDocument => {
    const tasks = document.tasks.map((each, index) => ({
      ...each,
      assigneeGroupId: each.assigneeId === null && picked.includes(index) ? 'drivers' : null,
      fields: each.fields.map((one, position) =>
        one.type === 'TEXT' && picked.includes(position) ? { ...one, type: 'USER' as const } : one,
      ),
    }));
    return frozen({ ...document, tasks });
  });

/** The ids of all parts of a document, in one order. */
const idsOf = ({ phases, tasks, variables }: ProcessDocument) =>
  [...phases, ...variables, ...tasks.flatMap((each) => [each, ...each.fields, ...each.rules])].map(({ id }) => id);

/** Replaces every id of a copy by the id of the corresponding part of the original. */
function renamed(copy: ProcessDocument, original: ProcessDocument): ProcessDocument {
  const before = idsOf(original);
  const names = new Map(idsOf(copy).map((id, index) => [id, before[index]]));
  const rename = (_: string, value: unknown) => (typeof value === 'string' ? (names.get(value) ?? value) : value);
  return JSON.parse(JSON.stringify(copy), rename) as ProcessDocument;
}

/** The differences that a reader of the original would name: any change other than lost people is the change itself. */
function pathsOf(change: Change, { tasks }: ProcessDocument): string[] {
  const { kind, entity, id, label, before = {} } = change;
  const names: Record<string, string> = {
    assigneeId: 'assignee',
    assigneeGroupId: 'assigned group',
    approval: 'approvers',
  };
  if (kind === 'CHANGED' && entity === 'TASK') {
    return Object.keys(before).map((name) => `${label} > ${names[name] ?? JSON.stringify(change)}`);
  }
  if (kind === 'CHANGED' && entity === 'FIELD' && Object.keys(before).join() === 'dataSource') return [label];
  const rules = tasks.flatMap(({ title, rules }) => rules.map((rule, index) => ({ title, rule, index })));
  const found = rules.find(({ rule }) => rule.id === id);
  if (entity !== 'RULE' || !found) return [JSON.stringify(change)];
  const path = `${found.title} > ${found.rule.name ?? `rule ${found.index + 1}`}`;
  if (kind === 'REMOVED') return [path];
  if (kind !== 'CHANGED' || Object.keys(before).join() !== 'actions') return [JSON.stringify(change)];
  return found.rule.actions.flatMap(({ type }, index) => (type === 'ASSIGN' ? `${path} > action ${index + 1}` : []));
}

test('a detached copy differs from its document only in the listed parts and the ids, and names no one', (t) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(populated, (document) => {
      const { document: detached, dropped } = detachDocument(document);
      const copy = duplicateDocument(detached, counter());
      t.deepEqual(
        idsOf(copy).filter((id) => idsOf(document).includes(id)),
        [],
      );
      const back = renamed(copy, detached);
      t.deepEqual(
        diff(document, back)
          .flatMap((change) => pathsOf(change, document))
          .toSorted(),
        dropped.map(({ path }) => path).toSorted(),
      );
      t.notRegex(JSON.stringify(copy), /"(ada|grace|drivers)"/);
      const before = validate(document, formats);
      t.deepEqual(
        // A required lookup without a data source needs one before publishing.
        validate(detached, formats).filter(
          (problem) => !before.includes(problem) && !/has no data source/.test(problem),
        ),
        [],
      );
      for (const { reason } of dropped) seen.add(reason.split(' ').slice(0, 2).join(' '));
    }),
    // The rarest reason is in about one of twenty documents.
    { numRuns: 400 },
  );
  t.deepEqual([...seen].toSorted(), [
    'Data sources',
    'Groups are',
    'It compares',
    'It only',
    'Members and',
    'Members are',
  ]);
});

test('every part that is left out is named with a reason', (t) => {
  const condition = { source: { type: 'VARIABLE', key: 'region' }, operator: 'IS_EMPTY' } as const;
  const hide = { type: 'HIDE', taskIds: ['task-b'], fieldIds: [] } as const;
  const assign = { type: 'ASSIGN', taskId: 'task-b', assigneeId: 'ada', assigneeGroupId: null } as const;
  const rule = { match: 'ALL', conditions: [condition], actions: [hide] } as const;
  const ofField = (key: string) =>
    ({ source: { type: 'FIELD', fieldId: `field-${key}` }, operator: 'EQUALS', value: 'x' }) as const;
  const isEmpty = { ...ofField('buddy'), operator: 'IS_EMPTY', value: undefined } as const;
  const approval = { approverIds: [], approverGroupIds: [], policy: 'ALL', allowSelfApproval: true } as const;
  const document = processOf([
    task('a', {
      assigneeId: 'ada',
      fields: [
        field('buddy', { type: 'USER' }),
        field('supplier', {
          type: 'DATA_SOURCE',
          dataSource: { dataSourceId: 'suppliers', labelColumnId: 'name', autoFill: [] },
        }),
      ],
      rules: [
        { ...rule, id: '1', name: 'Both', actions: [hide, assign] },
        { ...rule, id: '2', name: null, actions: [assign] },
        { ...rule, id: '3', name: 'Buddy', conditions: [ofField('buddy')] },
        { ...rule, id: '4', name: 'Supplier', conditions: [condition, ofField('supplier')] },
        { ...rule, id: '5', name: 'Nobody', conditions: [isEmpty] },
      ],
    }),
    task('b', { assigneeGroupId: 'drivers', approval: { ...approval, approverIds: ['ada'] } }),
    task('c', { approval }),
  ]);
  const detached = detachDocument(document);
  t.deepEqual(
    detached.document.tasks[0]?.rules.map(({ id, actions }) => [id, actions]),
    [
      ['1', [hide]],
      ['5', [hide]],
    ],
  );
  t.false('dataSource' in (detached.document.tasks[0]?.fields[1] ?? {}));
  t.deepEqual(detached.dropped, [
    { path: 'a > assignee', reason: 'Members are not imported; assign one of your own.' },
    {
      path: 'a > Both > action 2',
      reason: 'Members and groups are not imported; add the action again with one of your own.',
    },
    {
      path: 'a > rule 2',
      reason: 'It only assigns tasks to members or groups, which are not imported; add it again with your own.',
    },
    {
      path: 'a > Buddy',
      reason: 'It compares "buddy" with members, which are not imported; add it again with your own.',
    },
    {
      path: 'a > Supplier',
      reason: 'It compares "supplier" with rows of a data source, which are not imported; add it again with your own.',
    },
    {
      path: 'a > supplier',
      reason: 'Data sources are not imported; let the field look up rows of one of your own.',
    },
    { path: 'b > assigned group', reason: 'Groups are not imported; assign one of your own.' },
    {
      path: 'b > approvers',
      reason: 'Members and groups are not imported; name your own, or everyone with the scope runs:write may approve.',
    },
  ]);
  t.deepEqual(
    detached.document.tasks.slice(1).map((each) => each.approval),
    [approval, approval],
  );
});
