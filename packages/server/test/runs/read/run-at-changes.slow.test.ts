import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../../support/templates.ts';

const app = useSharedApp(test);

/** Numbers that look random and are the same in every test (a linear congruential generator). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 12;
  }
}

test('a run at the time of each of its changes is the run that was returned then', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const isYes = {
    source: { type: 'FIELD' as const, fieldId: 'new:answer' },
    operator: 'EQUALS' as const,
    value: 'yes',
  };
  const templateId = await publishDraft(
    api,
    [
      {
        title: 'Ask',
        repeatable: true,
        fields: [
          { id: 'new:answer', label: 'Answer', type: 'TEXT' },
          { id: 'new:more', label: 'More', type: 'NUMBER' },
        ],
        rules: [
          {
            conditions: [isYes],
            actions: [
              { type: 'SHOW', taskIds: ['new:act'] },
              { type: 'HIDE', fieldIds: ['new:more'] },
              { type: 'SET_VARIABLE', key: 'answered', value: 'yes' },
            ],
          },
        ],
      },
      { id: 'new:act', title: 'Act', dependencies: ['new:last'] },
      { id: 'new:last', title: 'Last', due: { from: 'LAUNCH', offset: 'PT1H' } },
    ],
    [{ key: 'answered' }],
  );
  const { data: fields } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  let changes = 0;
  for (const seed of [1, 2, 3]) {
    const run = await launchRun(api, templateId);
    const next = numbers(seed);
    const pick = <Item>(items: readonly Item[]) => items[next.next().value % items.length] as Item;
    const read = (at?: string) =>
      must(api.call('runs', 'get', { params: { id: run.id }, query: { include: 'fieldValues', ...(at && { at }) } }));
    const change = async () => {
      const { tasks } = await read();
      const { runTaskId: taskId } = pick(tasks);
      const [ask] = tasks;
      const params = { taskId };
      const entry = pick(ask?.entries ?? []) as { id: string } | undefined;
      const executionEntryId = entry?.id ?? '';
      const changes = [
        () => api.call('execution', 'open', { body: { runTaskId: ask?.runTaskId ?? '' } }),
        () =>
          api.call('execution', 'submit', {
            body: {
              executionEntryId,
              runTaskFieldId: fields[0]?.runTaskFieldId ?? '',
              value: pick(['yes', 'no', null]),
            },
          }),
        () => api.call('execution', 'complete', { body: { executionEntryId } }),
        () => api.call('execution', 'discard', { params: { id: executionEntryId } }),
        () =>
          api.call('runs.tasks', 'setStatus', { params, body: { status: pick(['PENDING', 'COMPLETED'] as const) } }),
        () => api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: pick(['2020-01-01T00:00:00Z', null]) } }),
        () => api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: pick([ownerUserId, null]) } }),
        () =>
          api.call('runs', pick(['cancel', 'complete', 'reopen', 'reopen', 'reopen'] as const), {
            params: { id: run.id },
          }),
        () => api.call('runs', 'reopen', { params: { id: run.id } }),
        () => api.call('runs', 'update', { params: { id: run.id }, body: { title: pick(['A', 'B']) } }),
      ];
      // Many changes are rejected; then nothing has changed.
      await pick(changes)();
    };

    // Of several changes in the same millisecond, only the last one can be asked for.
    const returned = new Map([[run.createdAt, await read()]]);
    for (let count = 0; count < 40; count += 1) {
      await change();
      const now = await read();
      returned.set(now.updatedAt, now);
    }
    changes += returned.size;
    for (const [at, then] of returned) t.deepEqual(await read(at), then, at);
    const last = await read();
    t.deepEqual(await read('2999-01-01T00:00:00Z'), last);
    const between = new Date(Date.parse(last.updatedAt) - 1).toISOString();
    const before =
      [...returned.keys()]
        .filter((at) => at <= between)
        .sort()
        .at(-1) ?? '';
    t.deepEqual(await read(between), returned.get(before));
  }
  t.true(changes > 30, `${changes} changes`);
});
