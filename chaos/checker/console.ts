import { isConfirmed, type SentForm, type ShownEntry } from '../history/console-history.ts';
import type { ActivityRow, History, Violation } from '../history/history.ts';

/**
 * Checks forms that members filled in in the console. An answer of which a page has said that it is saved is in the
 * activity, in the entry that the API returns, and on the page of its task. A form that was sent several times was
 * applied once. A task is completed if, and only if, that was wanted.
 */
export function checkConsole({ console, activity }: Pick<History, 'console' | 'activity'>): Violation[] {
  const { forms, entries, problems, memberIds } = console;
  const lines = Map.groupBy(
    activity.filter(({ line }) => memberIds.includes(line.actor.userId ?? '')),
    ({ runTaskId }) => runTaskId,
  );
  const shown = Map.groupBy(entries, ({ runTaskId }) => runTaskId);
  return [
    ...problems.map((detail) => ({ rule: 'wrong page', detail })),
    ...forms.flatMap(checkForm),
    ...[...Map.groupBy(forms, ({ runTaskId }) => runTaskId)].flatMap(([runTaskId, sent]) =>
      checkTask(sent, stepsIn(lines.get(runTaskId) ?? []), shown.get(runTaskId) ?? []).map(({ rule, detail }) => {
        return { rule, detail: `task ${runTaskId}: ${detail}` };
      }),
    ),
  ];
}

function checkForm(form: SentForm): Violation[] {
  const { runTaskId, button, answer, status, notice, isShown } = form;
  const detail = `"${button}" of "${answer}" for the task ${runTaskId}`;
  if (status !== null && !isConfirmed(form)) {
    return [{ rule: 'rejected', detail: `${detail}: ${status} and the notice ${notice}` }];
  }
  return isShown === false ? [{ rule: 'wrong page', detail: `${detail} is not on the page that was opened next` }] : [];
}

/** The last form may be without a response, and then may or may not have been applied. */
function checkTask(
  forms: readonly SentForm[],
  recorded: readonly string[],
  entries: readonly ShownEntry[],
): Violation[] {
  const promised = stepsOf(forms.filter(isConfirmed));
  const possible = stepsOf(forms.filter((form) => form.status === null || isConfirmed(form)));
  if (![promised, possible].some((steps) => steps.join() === recorded.join())) {
    const lost = promised.find((step) => !recorded.includes(step));
    const detail = `the activity has ${recorded.join(', ')} instead of ${promised.join(', ')}`;
    return [{ rule: lost === undefined ? 'applied twice' : 'lost answer', detail }];
  }
  const answer = recorded.findLast((step) => step.startsWith(answered));
  const status = recorded.includes('entry.completed') ? 'COMPLETED' : 'OPEN';
  const expected = answer === undefined ? [] : [`${status} ${answer}`];
  const actual = entries.map((entry) => `${entry.status} ${answered}${entry.values.join()}`);
  if (actual.join() === expected.join()) return [];
  return [{ rule: 'lost answer', detail: `the API returns ${actual.join(', ')} instead of ${expected.join(', ')}` }];
}

const answered = 'answer ';

/** What forms do to their task, if each is applied once. */
function stepsOf(forms: readonly SentForm[]): string[] {
  const steps = forms.flatMap(({ answer, button }) => [
    answered + answer,
    ...(button === 'complete' ? ['entry.completed', 'task.completed'] : []),
  ]);
  return steps.length === 0 ? [] : ['entry.opened', ...steps];
}

/**
 * What the activity of a task says. A form may save the same answer once more, if it was sent again before the first
 * send took effect.
 */
function stepsIn(lines: readonly ActivityRow[]): string[] {
  const steps = lines.map(({ type, line }) =>
    type === 'value.submitted' ? answered + String(line.data['value']) : type,
  );
  return steps.filter((step, index) => step !== steps[index - 1] || !step.startsWith(answered));
}
