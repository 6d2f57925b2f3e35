import { launch, type DueRule } from '@runward/engine';
import test from 'ava';
import { at, calendarAhead, environmentAt } from './support/calendar.ts';
import { processOf, task, variable } from './support/documents.ts';
import { accepted, begin, launchCommand } from './support/run.ts';

const nine = environmentAt(at('09:00'));

test('a launch with defaults takes titles, assignees and variables from the template', (t) => {
  const document = processOf([task('pack', { assigneeId: 'grace' }), task('ship', { assigneeGroupId: 'drivers' })], {
    variables: [variable('region', 'EU'), variable('rush')],
  });
  const { facts, state } = accepted(launch(document, launchCommand(document), nine));

  t.is(facts.length, 1);
  t.like(facts[0], { type: 'run.started', at: at('09:00'), runId: 'run', title: 'Onboarding' });
  t.like(state, {
    id: 'run',
    publicId: 'RUN-7K3M9Q',
    templateId: 'template',
    templateVersionId: 'version',
    title: 'Onboarding',
    status: 'RUNNING',
    ownerUserId: 'ada',
    scheduledDateLocal: '2026-03-02',
    variables: { region: 'EU', rush: null },
    ruleVariables: {},
    document,
    createdAt: at('09:00'),
    completedAt: null,
    cancelledAt: null,
    archivedAt: null,
    firstOverdueAt: null,
  });
  const blank = {
    status: 'PENDING' as const,
    hidden: false,
    done: false,
    hiddenFieldIds: [],
    forceUnblocked: false,
    assignedManually: false,
    approval: null,
    dueAt: null,
    dueAtHasTime: true,
    deadlineAt: null,
    dueSoonAt: null,
    overdueSignalled: false,
    availableAt: at('09:00'),
    completedAt: null,
    completedByUserId: null,
    retiredFromVersionId: null,
    removedAt: null,
    entries: [],
  };
  t.deepEqual(state.tasks, [
    { ...blank, id: 'pack', definition: document.tasks[0] ?? task(''), assigneeId: 'grace', assigneeGroupId: null },
    { ...blank, id: 'ship', definition: document.tasks[1] ?? task(''), assigneeId: null, assigneeGroupId: 'drivers' },
  ]);
});

test('a launch can set its title and override variables, also with false and null', (t) => {
  const document = processOf([task('pack')], {
    variables: [variable('a', 'kept'), variable('b', true), variable('c', 'set'), variable('d', 1)],
  });
  const { state } = begin(document, { launch: { title: 'Ada joins', variables: { b: false, c: null, d: 2.5 } } });
  t.is(state.title, 'Ada joins');
  t.deepEqual(state.variables, { a: 'kept', b: false, c: null, d: 2.5 });
});

test('a launch with unknown variables is rejected with the names of the variables that exist', (t) => {
  const document = processOf([], { variables: [variable('region'), variable('rush')] });
  const rejectionOf = (sent: string) =>
    launch(document, launchCommand(document, { variables: JSON.parse(sent) }), nine).rejection;

  t.deepEqual(rejectionOf('{"region":"EU","speed":1,"size":2}'), {
    code: 'validation_failed',
    message: 'variables: unknown flow variable speed, size; the template defines region, rush',
  });
  for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    t.regex(
      rejectionOf(`{"${key}":1}`)?.message ?? '',
      new RegExp(`^variables: .* ${key}; the template defines region, rush$`),
    );
  }
  const none = launch(processOf([]), launchCommand(processOf([]), { variables: { region: 'EU' } }), nine);
  t.is(none.rejection?.message, 'variables: unknown flow variable region; the template defines none');
});

test('a variable named like a property of every object has its default value', (t) => {
  const document = processOf([], { variables: [variable('constructor', 'mine'), variable('toString')] });
  t.deepEqual(Object.entries(begin(document).state.variables), [
    ['constructor', 'mine'],
    ['toString', null],
  ]);
  const { state } = begin(document, { launch: { variables: JSON.parse('{"constructor":"sent"}') } });
  t.deepEqual(Object.entries(state.variables)[0], ['constructor', 'sent']);
});

const titles: [pattern: string, title: string][] = [
  ['{{name}} on {{date}}', 'Onboarding on 2026-03-02'],
  ['{{ variables.who }}: {{variables.count}}, {{variables.rush}}', 'Ada: 3, false'],
  ['[{{variables.nobody}}|{{unknown}}|{{variables.}}|{{variables}}|{{}}]', '[||||{{}}]'],
  ['{{variables.none}}', 'Onboarding'],
  ['   ', 'Onboarding'],
  ['{{constructor}}{{variables.constructor}}{{variables.__proto__}}x', 'x'],
  ['{{variables.money}} {{variables.nested}}', "$& $1 $' {{name}}"],
  ['  {{name}}  ', 'Onboarding'],
];
for (const [runTitlePattern, title] of titles) {
  test(`the title pattern "${runTitlePattern}" results in "${title}"`, (t) => {
    const document = processOf([], {
      variables: [
        variable('who', 'Ada'),
        variable('count', 3),
        variable('rush', false),
        variable('none'),
        variable('money', "$& $1 $'"),
        variable('nested', '{{name}}'),
      ],
    });
    t.is(begin(document, { launch: { template: { name: 'Onboarding', runTitlePattern } } }).state.title, title);
  });
}

const titleOf = (who: string, runTitlePattern: string) =>
  begin(processOf([], { variables: [variable('who', who)] }), {
    launch: { template: { name: 'Onboarding', runTitlePattern } },
  }).state.title;

test('a title longer than 255 characters is cut, but not within a surrogate pair', (t) => {
  t.is(titleOf('a'.repeat(300), '{{variables.who}}'), 'a'.repeat(255));
  t.is(titleOf('😀'.repeat(200), '{{variables.who}}'), '😀'.repeat(127));
  t.is(titleOf('😀'.repeat(200), 'x{{variables.who}}'), `x${'😀'.repeat(127)}`);
  t.is(titleOf('\uD83D', '{{variables.who}} joins'), '\uFFFD joins');
});

const dueRules: [rule: DueRule, ahead: number, dueAt: string, deadlineAt: string][] = [
  [{ from: 'LAUNCH', offset: 'PT90M', hasTime: true }, 0, at('10:30'), at('10:30')],
  [{ from: 'UNBLOCKED', offset: 'P1D', hasTime: true }, 0, at('09:00', '2026-03-03'), at('09:00', '2026-03-03')],
  [{ from: 'SCHEDULED_DATE', offset: 'PT8H', hasTime: true }, 0, at('08:00', '2026-03-09'), at('08:00', '2026-03-09')],
  [{ from: 'SCHEDULED_DATE', offset: 'PT8H', hasTime: true }, 9, at('23:00', '2026-03-08'), at('23:00', '2026-03-08')],
  [{ from: 'LAUNCH', offset: 'P1W', hasTime: false }, 0, at('09:00', '2026-03-09'), '2026-03-09T23:59:59.999Z'],
  [{ from: 'LAUNCH', offset: 'PT8H', hasTime: false }, 9, at('17:00'), '2026-03-03T14:59:59.999Z'],
];
for (const [due, ahead, dueAt, deadlineAt] of dueRules) {
  test(`a due rule ${due.offset} from ${due.from}, hasTime ${due.hasTime}, ${ahead} h ahead of UTC gives ${deadlineAt}`, (t) => {
    const document = processOf([task('pack', { due }), task('ship')]);
    const run = begin(document, { launch: { scheduledDateLocal: '2026-03-09' }, calendar: calendarAhead(ahead) });
    t.like(run.task('pack'), { dueAt, dueAtHasTime: due.hasTime, deadlineAt, overdueSignalled: false });
    t.like(run.task('ship'), { dueAt: null, dueAtHasTime: true, deadlineAt: null });
  });
}

test('a run launched after a deadline is RUNNING until overdue tasks are detected', (t) => {
  const due: DueRule = { from: 'SCHEDULED_DATE', offset: 'PT1H', hasTime: true };
  const run = begin(processOf([task('pack', { due })]), { launch: { scheduledDateLocal: '2026-01-01' } });
  t.is(run.state.status, 'RUNNING');
  t.deepEqual(run.does({ type: 'detectOverdue' }, at('09:00')), ['task.overdue', 'run.overdue']);
});
