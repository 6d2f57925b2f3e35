import test from 'ava';
import { checkApprovals } from '../checker/approvals.ts';
import type { ActivityRow } from '../history/history.ts';

type Step = readonly [type: string, userId: string, data?: Readonly<Record<string, unknown>>];

const value = (text: string): Step => ['value.submitted', 'ada', { fieldId: 'amount', value: text }];
const opened: Step = ['entry.opened', 'ada'];
const requested: Step = ['approval.requested', 'ada'];
const granted: Step = ['approval.granted', 'grace'];
const rejected: Step = ['approval.rejected', 'grace'];
const invalidated: Step = ['approval.invalidated', 'ada'];
const completed: Step = ['task.completed', 'ada'];

/** The rules that a run violates. Its task `pay` needs an approval. */
function violated(...steps: readonly Step[]): string[] {
  const started: Step = ['run.started', 'ada', { tasks: [{ runTaskId: 'pay', taskId: 'task-pay' }] }];
  const activity = [started, ...steps].map(([type, userId, data = {}], index): ActivityRow => {
    const runTaskId = type === 'run.started' ? null : 'pay';
    const sequence = index + 1;
    const actor = { type: 'USER' as const, userId, apiKeyId: null };
    const entry = { entryId: 'e', ...data };
    const line = { sequence, type, runTaskId, id: '', hash: '', at: '', actor, data: entry };
    return { sequence, type, runTaskId, runId: 'run', at: index, deadlineAt: null, line };
  });
  return checkApprovals({ activity, approvalTaskIds: ['task-pay'] }).map(({ rule }) => rule);
}

test('a task that is completed with an approval of its last value violates nothing', (t) => {
  const asked = [opened, value('1'), requested];
  t.deepEqual(violated(...asked, granted, completed), []);
  t.deepEqual(violated(...asked, granted, value('1'), completed), []);
  t.deepEqual(violated(...asked, value('2'), granted, completed), []);
  t.deepEqual(violated(...asked, rejected, value('1'), requested, granted, completed), []);
  t.deepEqual(violated(...asked, granted, value('2'), invalidated, requested, granted, completed), []);
  t.deepEqual(violated(...asked, granted, completed, ['task.reopened', 'ada'], completed), []);
});

const asked = [opened, value('1'), requested];
const planted: readonly (readonly [string, readonly Step[], string])[] = [
  ['a task was completed without an approval', [opened, value('1'), completed], 'completed without approval'],
  ['a task was completed while its approval was requested', [...asked, completed], 'completed without approval'],
  ['a task was completed after a rejection', [...asked, rejected, completed], 'completed without approval'],
  [
    'a task was completed with a value that nobody approved',
    [...asked, granted, value('2'), completed],
    'completed without approval',
  ],
  [
    'a task was completed with an approval that was invalidated',
    [...asked, granted, invalidated, completed],
    'completed without approval',
  ],
  [
    'a task was completed whose approved entry was discarded',
    [...asked, granted, ['entry.discarded', 'ada'], completed],
    'completed without approval',
  ],
  [
    'a task was completed by another entry than the approved one',
    [...asked, granted, ['entry.opened', 'ada', { entryId: 'f' }], completed],
    'completed without approval',
  ],
  ['a request was decided twice', [...asked, granted, granted], 'decided without a request'],
  [
    'an entry was decided on that is not the requested one',
    [...asked, ['approval.rejected', 'grace', { entryId: 'f' }]],
    'decided without a request',
  ],
  ['a member approved their own work', [...asked, ['approval.granted', 'ada']], 'own work decided on'],
];

for (const [name, steps, rule] of planted) {
  test(`the checker detects that ${name}`, (t) => {
    t.deepEqual(violated(...steps), [rule]);
  });
}
