import test from 'ava';
import { at } from '../support/calendar.ts';
import { field, options, processOf, task } from '../support/documents.ts';
import { begin, complete, open, reopen, setStatus, submit } from '../support/run.ts';

const form = [
  field('name', { required: true }),
  field('size', { type: 'DROPDOWN', options: options('s', 'm') }),
  field('agreed', { type: 'CHECKBOX', required: true }),
];
/** Completing `pack` does not complete the run, because `last` is still open. */
const document = processOf([task('pack', { fields: form }), task('log', { repeatable: true }), task('last')]);
const filled = { name: 'Ada', agreed: false };

test('completing the form of a task completes the task', (t) => {
  const run = begin(document);
  t.deepEqual(run.does(open('pack', 'e1'), at('10:00')), ['entry.opened']);
  t.deepEqual(run.does(submit('e1', filled), at('10:01')), ['value.submitted', 'value.submitted']);
  t.deepEqual(run.does(complete('e1', 'key-1'), at('10:02')), ['entry.completed', 'task.completed']);

  t.like(run.task('pack'), { status: 'COMPLETED', completedAt: at('10:02'), completedByUserId: 'ada' });
  const submitted = { rowLabel: null, filledFrom: null, submittedByUserId: 'ada', submittedAt: at('10:01') };
  t.deepEqual(run.task('pack').entries, [
    {
      id: 'e1',
      status: 'COMPLETED',
      createdByUserId: 'ada',
      createdAt: at('10:00'),
      completedAt: at('10:02'),
      completionKeys: ['key-1'],
      values: [
        { id: 'value-e1-name', fieldId: 'field-name', fieldType: 'TEXT', value: 'Ada', ...submitted },
        { id: 'value-e1-agreed', fieldId: 'field-agreed', fieldType: 'CHECKBOX', value: false, ...submitted },
      ],
      setAside: [],
    },
  ]);
  t.like(run.facts.at(-1), { type: 'task.completed', directly: false, at: at('10:02') });
});

test('a second entry is rejected while the first is open or the task is completed', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  t.deepEqual(run.rejects(open('pack', 'e2')), {
    code: 'entry_open',
    message: 'The task "pack" already has the open entry e1; use that entry.',
  });
  run.does(submit('e1', filled));
  run.does(complete('e1'));
  t.is(run.rejects(open('pack', 'e2')).code, 'task_completed');

  run.does(setStatus('pack', 'PENDING'));
  t.deepEqual(run.does(open('pack', 'e2')), ['entry.opened']);
  t.deepEqual(run.rejects(reopen('e1')), {
    code: 'entry_open',
    message: 'The task "pack" already has the open entry e2; complete that entry first.',
  });
});

test('a repeatable task can have several open entries and is completed with the last of them', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  t.deepEqual(run.does(open('log', 'e2')), ['entry.opened']);
  t.deepEqual(run.does(complete('e2')), ['entry.completed']);
  t.is(run.task('log').status, 'PENDING');
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);

  t.deepEqual(run.does(open('log', 'e3')), ['task.reopened', 'entry.opened']);
  t.like(run.task('log'), { status: 'PENDING', completedAt: null, completedByUserId: null });
  t.deepEqual(run.does(reopen('e1')), ['entry.reopened']);
  t.deepEqual(run.does(complete('e3')), ['entry.completed']);
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);
  t.deepEqual(
    run.task('log').entries.map(({ id, status }) => [id, status]),
    [
      ['e1', 'COMPLETED'],
      ['e2', 'COMPLETED'],
      ['e3', 'COMPLETED'],
    ],
  );
});

test('completing an entry without required values is rejected with the label of each field; false counts as a value, blank text does not', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  t.deepEqual(run.rejects(complete('e1')), {
    code: 'required_fields_missing',
    message: 'Required fields have no value: "name", "agreed"; submit their values first.',
  });
  run.does(submit('e1', { name: ' \t', agreed: false }));
  t.regex(run.rejects(complete('e1')).message, / value: "name"; /);
  run.does(submit('e1', { name: 'Ada', agreed: null }));
  t.regex(run.rejects(complete('e1')).message, / value: "agreed"; /);
  run.does(submit('e1', { agreed: false }));
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);
});

test('a submission with invalid values writes no value, and its rejection lists each of them', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  t.deepEqual(run.rejects(submit('e1', { name: 'Ada', size: 'xl', colour: 'red', agreed: 'yes' })), {
    code: 'validation_failed',
    message:
      'Values of the submission are invalid: "size" must be one of the option keys: s, m; the task "pack" has no field field-colour; ' +
      'use the id of a published field of its template; "agreed" must be true or false.',
    invalidValues: [
      { index: 1, part: 'value', message: '"size" must be one of the option keys: s, m' },
      {
        index: 2,
        part: 'field',
        message: 'the task "pack" has no field field-colour; use the id of a published field of its template',
      },
      { index: 3, part: 'value', message: '"agreed" must be true or false' },
    ],
  });
  t.deepEqual(run.task('pack').entries[0]?.values, []);
});

test('a value that refers to a missing record is invalid, unless the value itself does not fit', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  const missing = 'refers to nothing';
  const rejection = run.rejects({
    type: 'submitValues',
    entryId: 'e1',
    values: [
      { fieldId: 'field-name', fieldValueId: 'v1', value: 'Ada', missing },
      { fieldId: 'field-size', fieldValueId: 'v2', value: 'xl', missing },
    ],
    userId: 'ada',
  });
  t.deepEqual(rejection.invalidValues, [
    { index: 0, part: 'value', message: '"name" refers to nothing' },
    { index: 1, part: 'value', message: '"size" must be one of the option keys: s, m' },
  ]);
});

test('a value submitted again keeps its id, and every submission is a fact', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  run.does(submit('e1', { name: 'Ada', size: 'm' }), at('10:01'));
  run.does(
    {
      type: 'submitValues',
      entryId: 'e1',
      values: [{ fieldId: 'field-name', fieldValueId: 'another', value: null }],
      userId: 'grace',
    },
    at('10:02'),
  );
  t.deepEqual(
    run.task('pack').entries[0]?.values.map(({ id, value, submittedByUserId }) => [id, value, submittedByUserId]),
    [
      ['value-e1-name', null, 'grace'],
      ['value-e1-size', 'm', 'ada'],
    ],
  );
  const writes = run.facts.flatMap((fact) =>
    fact.type === 'value.submitted' ? [[fact.fieldValueId, fact.value]] : [],
  );
  t.deepEqual(writes, [
    ['value-e1-name', 'Ada'],
    ['value-e1-size', 'm'],
    ['value-e1-name', null],
  ]);
});

test('two values for one field in one command leave the later one', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  const values = ['first', 'second'].map((value) => ({ fieldId: 'field-name', fieldValueId: `id-${value}`, value }));
  run.does({ type: 'submitValues', entryId: 'e1', values, userId: 'ada' });
  t.deepEqual(
    run.task('pack').entries[0]?.values.map(({ id, value }) => [id, value]),
    [['id-first', 'second']],
  );
});

test('submitting no values changes nothing', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  const before = run.state;
  t.deepEqual(run.does(submit('e1', {})), []);
  t.is(run.state, before);
});

test('submitting to a completed entry, or completing it again without its key, is rejected', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(open('log', 'e2'));
  run.does(complete('e1'));
  for (const command of [submit('e1', {}), complete('e1'), complete('e1', 'new-key')]) {
    t.deepEqual(run.rejects(command), {
      code: 'entry_completed',
      message: 'The entry e1 is completed; reopen it first.',
    });
  }
});

test('reopening an entry sets its task to PENDING and keeps its values', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  t.is(run.rejects(reopen('e1')).code, 'entry_open');
  run.does(submit('e1', filled));
  run.does(complete('e1'));
  t.deepEqual(run.does(reopen('e1')), ['entry.reopened', 'task.reopened']);
  t.like(run.task('pack'), { status: 'PENDING', completedAt: null, completedByUserId: null });
  t.like(run.task('pack').entries[0], { status: 'OPEN', completedAt: null, values: { length: 2 } });
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);
});

test('reopening an entry of a task that is already PENDING changes only the entry', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  run.does(submit('e1', filled));
  run.does(complete('e1'));
  run.does(setStatus('pack', 'PENDING'));
  t.deepEqual(run.does(reopen('e1')), ['entry.reopened']);
});

test('a repeated idempotency key changes nothing, also after the run or the entry was reopened', (t) => {
  const run = begin(processOf([task('pack')]));
  run.does(open('pack', 'e1'));
  t.deepEqual(run.does(complete('e1', 'key-1')), ['entry.completed', 'task.completed', 'run.completed']);

  const unchanged = () => {
    const before = run.state;
    t.deepEqual(run.does(complete('e1', 'key-1'), at('12:00')), []);
    t.is(run.state, before);
  };
  unchanged();
  run.does({ type: 'reopen' });
  unchanged();
  run.does(reopen('e1'));
  unchanged();
  t.is(run.task('pack').entries[0]?.status, 'OPEN');

  run.does(complete('e1', 'key-2'));
  unchanged();
  t.deepEqual(run.does(complete('e1', 'key-2')), []);
  run.does({ type: 'reopen' });
  run.does(reopen('e1'));
  run.does(complete('e1'));
  unchanged();
  t.deepEqual(run.task('pack').entries[0]?.completionKeys, ['key-1', 'key-2']);
});

test('an idempotency key of another entry of the run is rejected', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(open('last', 'e2'));
  run.does(complete('e1', 'key-1'));
  t.deepEqual(run.rejects(complete('e2', 'key-1')), {
    code: 'idempotency_key_reused',
    message: 'idempotencyKey: already used to complete another entry; send a new UUID',
  });
  t.is(run.rejects(complete('nobody', 'key-1')).code, 'idempotency_key_reused');
});

test('an idempotency key of a task that a migration removed is rejected, because another migration can bring the task back', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(complete('e1', 'key-1'));
  run.does(setStatus('log', 'PENDING'));
  const without = processOf(document.tasks.filter(({ id }) => id !== 'task-log'));
  run.does({ type: 'migrate', toVersionId: 'version-2', document: without, runTaskIds: ['a', 'b'] });
  t.deepEqual(
    run.state.removedTasks.map(({ id }) => id),
    ['log'],
  );
  run.does(open('last', 'e2'));
  t.is(run.rejects(complete('e2', 'key-1')).code, 'idempotency_key_reused');
});

test('an entry of a directly completed task can be changed only after the task is set to PENDING', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  run.does(setStatus('pack', 'COMPLETED'));
  for (const command of [submit('e1', filled), complete('e1')]) {
    t.deepEqual(run.rejects(command), {
      code: 'task_completed',
      message: 'The task "pack" is completed; set it to PENDING first.',
    });
  }
  run.does(setStatus('pack', 'PENDING'));
  run.does(submit('e1', filled));
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);
});

test('commands on unknown tasks and entries are rejected with different reasons', (t) => {
  const run = begin(document);
  t.deepEqual(run.rejects(open('nowhere', 'e1')), {
    code: 'validation_failed',
    message: 'The run has no task nowhere; use the id of one of its tasks.',
  });
  for (const command of [submit('nobody', {}), complete('nobody'), reopen('nobody')]) {
    t.deepEqual(run.rejects(command), {
      code: 'validation_failed',
      message: 'The run has no entry nobody; use the id of one of its entries.',
    });
  }
});

test('a form in one command uses the open entry of its task, or opens one, and is rejected as a whole', (t) => {
  const run = begin(document);
  const values = Object.entries(filled).map(([key, value]) => ({ fieldId: `field-${key}`, fieldValueId: key, value }));
  const form = (runTaskId: string, newEntryId: string, key: string | null = null) =>
    ({
      type: 'submitForm',
      form: { runTaskId, newEntryId },
      values: runTaskId === 'pack' ? values : [],
      completion: { idempotencyKey: key },
      userId: 'ada',
    }) as const;
  t.is(run.rejects({ ...form('pack', 'e1'), values: [] }).code, 'required_fields_missing');
  t.deepEqual(run.task('pack').entries, []);
  run.does(open('pack', 'e1'));
  t.deepEqual(run.does(form('pack', 'e2', 'key-1')), [
    'value.submitted',
    'value.submitted',
    'entry.completed',
    'task.completed',
  ]);
  t.deepEqual(run.does(form('pack', 'e3', 'key-1')), []);
  t.is(run.rejects(form('pack', 'e3')).code, 'task_completed');
  t.is(run.rejects(form('log', 'e3', 'key-1')).code, 'idempotency_key_reused');

  run.does(open('log', 'e4'));
  t.deepEqual(run.does({ ...form('log', 'e5'), completion: null }), ['entry.opened']);
  t.deepEqual(run.does(form('log', 'e6')), ['entry.opened', 'entry.completed']);
});
