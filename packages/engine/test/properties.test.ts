import test from 'ava';
import * as fc from 'fast-check';
import { decide, launch, type FactType, type RefusalReason } from '@runward/engine';
import { commandOf, documents, launchedAt, steps } from './support/arbitraries.ts';
import { calendarAhead, clockAt, moment } from './support/calendar.ts';
import { frozen } from './support/documents.ts';
import { check } from './support/invariants.ts';
import { accepted, launchCommand } from './support/run.ts';

/** What the commands must reach between them for the property to mean something; the compiler keeps both lists complete. */
const everyFact: Record<FactType, true> = {
  'run.started': true,
  'run.renamed': true,
  'run.completed': true,
  'run.cancelled': true,
  'run.reopened': true,
  'run.archived': true,
  'run.overdue': true,
  'run.on_time': true,
  'task.completed': true,
  'task.reopened': true,
  'task.due_date_changed': true,
  'task.assigned': true,
  'task.overdue': true,
  'entry.opened': true,
  'value.submitted': true,
  'entry.completed': true,
  'entry.reopened': true,
};
// Only a launch meets unknown variables, and no command hides a task.
const everyRefusal: Record<Exclude<RefusalReason, 'unknown_variable' | 'task_hidden'>, true> = {
  run_not_active: true,
  run_active: true,
  required_tasks_open: true,
  unknown_task: true,
  unknown_entry: true,
  unknown_field: true,
  task_completed: true,
  entry_open: true,
  entry_completed: true,
  key_used: true,
  invalid_value: true,
  value_missing: true,
};

test('whatever is asked of whatever run, the rules hold after every command', (t) => {
  const seen = new Set<string>();
  const calendars = fc.constantFrom(calendarAhead(0), calendarAhead(9), calendarAhead(-11));

  fc.assert(
    fc.property(documents, steps, calendars, (document, steps, calendar) => {
      let now = Date.parse(launchedAt);
      const begun = accepted(launch(document, launchCommand(document), frozen(clockAt(launchedAt, calendar))));
      let state = frozen(begun.state);
      const facts = [...begun.facts];

      for (const [index, step] of steps.entries()) {
        now += step.minutes * 60_000;
        const clock = frozen(clockAt(moment(now), calendar));
        const command = frozen(commandOf(step, state, clock.now, String(index)));
        const decision = frozen(decide(state, command, clock));
        if (!decision.rejection) facts.push(...decision.facts);
        check({ document, before: state, command, clock, decision, facts });
        if (decision.rejection) seen.add(decision.rejection.reason);
        else state = decision.state;
      }
      for (const fact of facts) seen.add(fact.type);
    }),
    { numRuns: 500 },
  );

  const wanted = [...Object.keys(everyFact), ...Object.keys(everyRefusal)];
  t.deepEqual(
    wanted.filter((name) => !seen.has(name)),
    [],
  );
});
