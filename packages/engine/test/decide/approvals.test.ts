import type { ApprovalDefinition, Command, TaskDefinition } from '@runward/engine';
import test from 'ava';
import { field, processOf, task } from '../support/documents.ts';
import { begin, complete, discard, open, reopen, setStatus, submit } from '../support/run.ts';

const anyone: ApprovalDefinition = { approverIds: [], approverGroupIds: [], policy: 'ANY', allowSelfApproval: false };

function approved(approval: Partial<ApprovalDefinition> = {}, rest: Partial<TaskDefinition> = {}): TaskDefinition {
  const fields = [field('amount', { required: true }), field('note')];
  return task('pay', { approval: { ...anyone, ...approval }, fields, ...rest });
}

const grant = (userId: string, groupIds: string[] = []): Command => {
  return { type: 'grantApproval', runTaskId: 'pay', userId, groupIds, comment: null };
};
const rejectAs = (userId: string): Command => {
  return { type: 'rejectApproval', runTaskId: 'pay', userId, groupIds: [], comment: 'Too much' };
};

/** A run whose only task waits for approval after Ada filled in the form. */
function waiting(approval: Partial<ApprovalDefinition> = {}) {
  const run = begin(processOf([approved(approval)]));
  run.does(open('pay', 'e'));
  run.does(submit('e', { amount: '100' }));
  return run;
}

test('an approval is requested when the last required value is submitted, and completing works once it is granted', (t) => {
  const run = begin(processOf([approved()]));
  t.deepEqual(run.does(open('pay', 'e')), ['entry.opened']);
  t.is(run.rejects(setStatus('pay', 'COMPLETED')).code, 'approval_missing');
  t.deepEqual(run.does(submit('e', { note: 'Rent' })), ['value.submitted']);
  t.deepEqual(run.does(submit('e', { amount: '100' })), ['value.submitted', 'approval.requested']);
  t.is(run.task('pay').status, 'PENDING_APPROVAL');
  for (const command of [complete('e'), setStatus('pay', 'COMPLETED'), setStatus('pay', 'PENDING')]) {
    t.deepEqual(run.rejects(command), {
      code: 'approval_pending',
      message: 'The task "pay" is waiting for its approval; have it approved or rejected first.',
    });
  }
  t.deepEqual(run.does(grant('grace')), ['approval.granted']);
  t.like(run.task('pay'), { status: 'PENDING', approval: { status: 'GRANTED', entryId: 'e' } });
  t.is(run.rejects(grant('linus')).code, 'approval_not_pending');
  t.deepEqual(run.does(complete('e')), ['entry.completed', 'task.completed', 'run.completed']);
});

test('an approval is requested when an entry is opened whose form requires nothing, and by a rule that hides what is missing', (t) => {
  const free = begin(processOf([approved({}, { fields: [] })]));
  t.deepEqual(free.does(open('pay', 'e')), ['entry.opened', 'approval.requested']);

  const rule = {
    id: 'rule',
    name: null,
    match: 'ALL',
    conditions: [{ source: { type: 'FIELD', fieldId: 'field-free' }, operator: 'EQUALS', value: 'yes' }],
    actions: [{ type: 'HIDE', taskIds: [], fieldIds: ['field-amount'] }],
  } as const;
  const run = begin(processOf([task('ask', { fields: [field('free')], rules: [rule] }), approved()]));
  run.does(open('ask', 'a'));
  run.does(open('pay', 'e'));
  t.deepEqual(run.does(submit('a', { free: 'yes' })), ['value.submitted', 'field.hidden', 'approval.requested']);
  t.deepEqual(run.does(submit('a', { free: 'no' })), ['value.submitted', 'field.shown', 'approval.invalidated']);
  t.is(run.task('pay').status, 'PENDING');
});

test('a blocked task stays BLOCKED while its approval is requested, and is PENDING_APPROVAL once unblocked', (t) => {
  const run = begin(processOf([task('first'), approved({}, { dependencies: ['task-first'] })]));
  run.does(open('pay', 'e'));
  t.deepEqual(run.does(submit('e', { amount: '100' })), ['value.submitted', 'approval.requested']);
  t.like(run.task('pay'), { status: 'BLOCKED', approval: { status: 'REQUESTED' } });
  t.deepEqual(run.does(setStatus('first', 'COMPLETED')), ['task.completed', 'task.unblocked']);
  t.is(run.task('pay').status, 'PENDING_APPROVAL');
  t.deepEqual(run.does(setStatus('first', 'PENDING')), ['task.reopened', 'task.blocked']);
  t.deepEqual(run.does(grant('grace')), ['approval.granted']);
  t.is(run.task('pay').status, 'BLOCKED');
  t.is(run.rejects(complete('e')).code, 'task_blocked');
});

test('a rejected task is PENDING, cannot be completed, and asks again with the next value, also an equal one', (t) => {
  const run = waiting();
  t.deepEqual(run.does(rejectAs('grace')), ['approval.rejected']);
  t.like(run.task('pay'), {
    status: 'PENDING',
    approval: { status: 'REJECTED', decisions: [{ comment: 'Too much' }] },
  });
  for (const command of [complete('e'), setStatus('pay', 'COMPLETED')]) {
    t.is(run.rejects(command).code, 'approval_missing');
  }
  t.deepEqual(run.does(submit('e', { amount: null })), ['value.submitted']);
  t.deepEqual(run.does(submit('e', { amount: '100' })), ['value.submitted', 'approval.requested']);
  run.does(rejectAs('grace'));
  t.deepEqual(run.does(submit('e', { amount: '100' })), ['value.submitted', 'approval.requested']);
  t.deepEqual(run.task('pay').approval?.decisions, []);
});

test('a value that differs after a grant asks again, an equal one does not', (t) => {
  const run = waiting();
  run.does(grant('grace'));
  t.deepEqual(run.does(submit('e', { amount: '100', note: null })), ['value.submitted', 'value.submitted']);
  t.deepEqual(run.does(submit('e', { note: 'Rent' })), [
    'value.submitted',
    'approval.invalidated',
    'approval.requested',
  ]);
  t.is(run.rejects(complete('e')).code, 'approval_pending');
  run.does(grant('grace'));
  t.deepEqual(run.does(submit('e', { amount: null })), ['value.submitted', 'approval.invalidated']);
  t.is(run.task('pay').approval, null);
});

test('ALL needs every named member and one member of every named group, and says who is missing', (t) => {
  const run = waiting({ policy: 'ALL', approverIds: ['grace', 'linus'], approverGroupIds: ['cfo'] });
  t.is(run.rejects(grant('bob', ['drivers'])).code, 'not_an_approver');
  t.deepEqual(run.does(grant('grace', ['drivers'])), ['approval.granted']);
  t.is(run.rejects(grant('grace')).code, 'approval_already_decided');
  t.is(
    run.rejects(complete('e')).message,
    'The task "pay" is waiting for the approval of user linus, group cfo; have it approved or rejected first.',
  );
  run.does(grant('bob', ['cfo']));
  t.is(run.task('pay').status, 'PENDING_APPROVAL');
  t.deepEqual(run.does(submit('e', { amount: '200' })), [
    'value.submitted',
    'approval.invalidated',
    'approval.requested',
  ]);
  for (const userId of ['grace', 'bob', 'linus']) run.does(grant(userId, userId === 'bob' ? ['cfo'] : []));
  t.like(run.task('pay'), { status: 'PENDING', approval: { status: 'GRANTED' } });

  const rejected = waiting({ policy: 'ALL', approverIds: ['grace', 'linus'] });
  rejected.does(grant('grace'));
  rejected.does(rejectAs('linus'));
  t.is(rejected.task('pay').approval?.status, 'REJECTED');
});

test('who opened the entry or submitted one of its values does not decide, unless that is allowed', (t) => {
  const run = waiting();
  t.is(run.rejects(grant('ada')).code, 'own_work');
  run.does({ ...submit('e', { note: 'Rent' }), userId: 'grace' } as Command);
  t.is(run.rejects(rejectAs('grace')).code, 'own_work');
  t.deepEqual(run.does(grant('linus')), ['approval.granted']);
  t.deepEqual(waiting({ allowSelfApproval: true }).does(grant('ada')), ['approval.granted']);
});

test('the approval of a discarded entry is gone, also if the task was completed before', (t) => {
  const run = waiting();
  run.does(grant('grace'));
  t.deepEqual(run.does(discard('e')), ['entry.discarded', 'approval.invalidated']);
  t.is(run.rejects(setStatus('pay', 'COMPLETED')).code, 'approval_missing');

  // Completes two entries, then reopens and discards the second one.
  for (const entryId of ['f', 'g']) {
    run.does(open('pay', entryId));
    run.does(submit(entryId, { amount: '100' }));
    run.does(grant('grace'));
    run.does(complete(entryId));
    run.does({ type: 'reopen' });
    run.does(setStatus('pay', 'PENDING'));
  }
  t.deepEqual(run.does(reopen('g')), ['entry.reopened']);
  t.deepEqual(run.does(discard('g')), ['entry.discarded', 'approval.invalidated']);
  t.is(run.task('pay').status, 'PENDING');
});

test('a reopened task keeps its grant until a value differs; another entry needs its own', (t) => {
  const run = waiting();
  run.does(grant('grace'));
  run.does(complete('e'));
  run.does({ type: 'reopen' });
  t.deepEqual(run.does(setStatus('pay', 'PENDING')), ['task.reopened']);
  t.deepEqual(run.does(reopen('e')), ['entry.reopened']);
  t.deepEqual(run.does(complete('e')), ['entry.completed', 'task.completed', 'run.completed']);
  run.does({ type: 'reopen' });
  run.does(reopen('e'));
  t.deepEqual(run.does(submit('e', { amount: '101' })), [
    'value.submitted',
    'approval.invalidated',
    'approval.requested',
  ]);
  run.does(grant('grace'));
  run.does(complete('e'));
  run.does({ type: 'reopen' });
  run.does(setStatus('pay', 'PENDING'));
  t.deepEqual(run.does(open('pay', 'f')), ['entry.opened', 'approval.invalidated']);
});

test('a decision needs an active run and a visible task with a requested approval', (t) => {
  const run = begin(processOf([task('pay')]));
  t.is(run.rejects(grant('grace')).code, 'approval_not_pending');
  const cancelled = waiting();
  cancelled.does({ type: 'cancel' });
  t.is(cancelled.rejects(grant('grace')).code, 'run_terminal');
  cancelled.does({ type: 'reopen' });
  t.deepEqual(cancelled.does(grant('grace')), ['approval.granted']);
});

test('a file removed from a completed form does not reopen the task, but its grant no longer counts once the task is reopened', (t) => {
  const fields = [field('receipt', { type: 'FILE_UPLOAD' })];
  const run = begin(processOf([approved({}, { fields })]));
  run.does(open('pay', 'e'));
  const fileId = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const file = { entryId: 'e', fieldId: 'field-receipt', fileId } as const;
  run.does({ type: 'attachFile', ...file, fieldValueId: 'v', userId: 'ada' });
  run.does(grant('grace'));
  run.does(complete('e'));
  t.deepEqual(run.does({ type: 'removeInfected', ...file }), ['file.removed']);
  t.like(run.task('pay'), { status: 'COMPLETED', approval: { status: 'GRANTED' } });
  run.does({ type: 'reopen' });
  t.deepEqual(run.does(reopen('e')), ['entry.reopened', 'task.reopened', 'approval.invalidated', 'approval.requested']);
});
