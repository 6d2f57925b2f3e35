import { decide, launch, type Fact, type FactType, type RejectionCode } from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';
import { commentCases } from './decide/comment-invariants.ts';
import { approvalCases } from './support/approval-invariants.ts';
import { commandOf, launchedAt, steps } from './support/arbitraries.ts';
import { calendarAhead, environmentAt, instantOf } from './support/calendar.ts';
import { frozen } from './support/documents.ts';
import { fillCases } from './support/fill-invariants.ts';
import { formCases } from './support/form-invariants.ts';
import { check } from './support/invariants.ts';
import { accepted, launchCommand } from './support/run.ts';
import { documentOf, versions } from './support/versions.ts';

/** What the generated commands must reach to make the property meaningful. The compiler keeps both lists complete. */
const everyFact: Record<FactType, true> = {
  'run.started': true,
  'run.renamed': true,
  'run.completed': true,
  'run.cancelled': true,
  'run.reopened': true,
  'run.archived': true,
  'run.unarchived': true,
  'run.overdue': true,
  'run.on_time': true,
  'task.completed': true,
  'task.reopened': true,
  'task.due_date_changed': true,
  'task.deadline_moved': true,
  'task.assigned': true,
  'task.due_soon': true,
  'task.overdue': true,
  'entry.opened': true,
  'value.submitted': true,
  'file.removed': true,
  'entry.completed': true,
  'entry.reopened': true,
  'entry.discarded': true,
  'task.hidden': true,
  'task.shown': true,
  'field.hidden': true,
  'field.shown': true,
  'task.blocked': true,
  'task.unblocked': true,
  'approval.requested': true,
  'approval.granted': true,
  'approval.rejected': true,
  'approval.invalidated': true,
  'variable.set': true,
  'variable.reset': true,
  'run.migrated': true,
  'run.rules_synchronized': true,
  'comment.created': true,
  'comment.edited': true,
  'comment.deleted': true,
};
// The size of these runs is not limited.
const everyRejection: Record<Exclude<RejectionCode, 'validation_failed' | 'size_exceeded'>, true> = {
  run_terminal: true,
  run_active: true,
  required_tasks_open: true,
  task_completed: true,
  task_hidden: true,
  task_retired: true,
  task_blocked: true,
  task_not_blocked: true,
  approval_pending: true,
  approval_missing: true,
  approval_not_pending: true,
  not_an_approver: true,
  own_work: true,
  approval_already_decided: true,
  entry_open: true,
  entry_completed: true,
  idempotency_key_reused: true,
  required_fields_missing: true,
  not_own_record: true,
};

/** The beginnings of the messages of invalid commands. Unknown variables are rejected at launch only. */
const everyInvalidCommand = [
  'The run has no task',
  'The run has no entry',
  'assigneeGroupId: a task has one',
  'Values of the submission are',
];

/** Required effects of moved deadlines: other deadlines, and newly overdue tasks. */
const everyMove = ['moveDeadlines: task.deadline_moved', 'moveDeadlines: task.overdue'];

/** What following other versions must lead to. */
const everyVersionChange = [
  ...['task.shown', 'task.hidden', 'task.assigned'].map((type) => `syncRules: ${type}`),
  ...['task.hidden', 'task.blocked', 'task.unblocked', 'task.assigned', 'run.completed'].map(
    (type) => `migrate: ${type}`,
  ),
  ...['kept', 'added', 'restored', 'retired', 'removed'].map((kind) => `migrate: ${kind}`),
];

/**
 * Required cases of approvals: a changed value, a discarded entry, a value after a rejection, and completing the task.
 */
const everyApproval = [
  'submitValues: approval.invalidated',
  'discardEntry: approval.invalidated',
  'migrate: approval.invalidated',
  'asked again after a rejection',
  'granted by one of several',
  'completed with an approval',
];

/** What look-ups must go through. */
const everyFill = [
  'a field was filled',
  'a field was cleared',
  'clearing a look-up cleared a field',
  'the submission named a target',
  'a cell did not fit',
  'a target had been filled before',
  'a target had been changed since',
];

/** Required effects of discarded entries: tasks COMPLETED again, and ended runs. */
const everyDiscard = ['discardEntry: entry.discarded', 'discardEntry: task.completed', 'discardEntry: run.completed'];

/** Required cases of forms: whole forms up to the end of the run, and forms with a rejected later step. */
const everyForm = [
  ...[
    'entry.opened',
    'value.submitted',
    'entry.completed',
    'task.completed',
    'run.completed',
    'approval.requested',
  ].map((type) => `submitForm: ${type}`),
  ...['validation_failed', 'required_fields_missing', 'task_blocked', 'approval_pending', 'idempotency_key_reused'].map(
    (reason) => `form: nothing was opened: ${reason}`,
  ),
  'form: the open entry of the task was used',
  'form: replayed by task',
  'form: replayed by entry',
];

/** What a comment must go on: runs that have ended, and tasks that cannot be changed. */
const everyComment = ['on a run that has ended', 'on a hidden task', 'on a blocked task', 'on a retired task'];

const remindBefore = 'PT1H';

test('the invariants hold after every command on every generated run', (t) => {
  const seen = new Set<string>();
  const calendars = [calendarAhead(0), calendarAhead(9), calendarAhead(-11)];

  const property = fc.property(versions, steps, fc.constantFrom(...calendars), (versions, steps, firstCalendar) => {
    const document = documentOf(versions, 'version');
    let calendar = firstCalendar;
    let now = Date.parse(launchedAt);
    const launched = accepted(
      launch(document, launchCommand(document), frozen(environmentAt(launchedAt, calendar, remindBefore))),
    );
    let state = frozen(launched.state);
    const facts = [...launched.facts];

    for (const [index, step] of steps.entries()) {
      now += step.minutes * 60_000;
      if (step.kind === 'moveDeadlines') calendar = calendars[step.pick % calendars.length] ?? calendar;
      const environment = frozen(environmentAt(instantOf(now), calendar, remindBefore));
      const command = frozen(commandOf(step, state, environment.now, String(index), versions));
      const decision = frozen(decide(state, command, environment));
      if (!decision.rejection) facts.push(...decision.facts);
      const decided = { versions, before: state, command, environment, decision, facts };
      check(decided);
      for (const name of formCases(decided)) seen.add(name);
      if (decision.rejection) {
        const { code, message } = decision.rejection;
        seen.add(code === 'validation_failed' ? message.split(' ').slice(0, 5).join(' ') : code);
      } else {
        for (const name of approvalCases(state, decision.facts)) seen.add(name);
        for (const name of commentCases(decided, decision.facts)) seen.add(name);
        for (const name of fillCases({ command, before: state }, decision.facts)) seen.add(name);
        state = decision.state;
        for (const { type } of decision.facts) seen.add(type).add(`${command.type}: ${type}`);
        for (const kind of kindsOfTasks(decision.facts)) seen.add(`migrate: ${kind}`);
      }
    }
    for (const fact of launched.facts) seen.add(fact.type);
  });

  const wanted = [
    ...Object.keys(everyFact),
    ...Object.keys(everyRejection),
    ...everyInvalidCommand,
    ...everyMove,
    ...everyDiscard,
    ...everyApproval,
    ...everyFill,
    ...everyForm,
    ...everyVersionChange,
    ...everyComment,
  ];
  const missing = () => wanted.filter((name) => !seen.has(name));
  // What is rare may not happen in the first thousand runs.
  for (let round = 0; round < 5 && (round === 0 || missing().length > 0); round += 1)
    fc.assert(property, { numRuns: 1_000 });
  t.deepEqual(missing(), []);
});

/** What a migration did with tasks. */
function kindsOfTasks(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) =>
    fact.type === 'run.migrated'
      ? (['kept', 'added', 'restored', 'retired', 'removed'] as const).filter((kind) => fact[kind].length > 0)
      : [],
  );
}
