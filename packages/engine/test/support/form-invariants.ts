import assert from 'node:assert/strict';
import { decide, formEntryId, type Command, type CommandOf, type Fact } from '@runward/engine';
import type { Decided } from './invariants.ts';

type SubmitForm = CommandOf<'submitForm'>;

/**
 * Throws unless submitting a form in one command leads to the same facts and state as its single steps, or to the first
 * rejection among them. Runs `check` on every accepted step, with the facts so far.
 */
export function checkForm(decided: Decided, command: SubmitForm, check: (step: Decided) => void): void {
  const { before, environment, decision, facts: all } = decided;
  const earlier = decision.rejection ? all : all.slice(0, all.length - decision.facts.length);
  const facts: Fact[] = [];
  let state = before;
  for (const step of stepsOf(decided, command)) {
    const one = decide(state, step, environment);
    if (one.rejection) {
      assert.deepEqual(decision, one, 'a form was not rejected as its first rejected step');
      return;
    }
    facts.push(...one.facts);
    check({ ...decided, before: state, command: step, decision: one, facts: [...earlier, ...facts] });
    state = one.state;
  }
  assert.deepEqual(decision, { rejection: null, facts, state }, 'a form has another result than its steps');
}

/** The form cases that a decision covers; see `everyForm` in the property test. */
export function formCases({ before, command, environment, decision }: Decided): string[] {
  if (command.type !== 'submitForm') return [];
  const { form } = command;
  if (decision.rejection) {
    const isOpened = 'newEntryId' in form && !decide(before, openingOf(command, form), environment).rejection;
    return isOpened ? [`form: nothing was opened: ${decision.rejection.code}`] : [];
  }
  const isOther = 'newEntryId' in form && formEntryId(before, command) !== form.newEntryId;
  const isOpen = isOther && decision.facts.length > 0;
  const isReplayed = command.completion !== null && decision.facts.length === 0;
  return [
    ...(isOpen ? ['form: the open entry of the task was used'] : []),
    ...(isReplayed ? [`form: replayed by ${isOther ? 'task' : 'entry'}`] : []),
  ];
}

/**
 * The single commands that a client would send for a form. The client learns about an open entry when opening another
 * is rejected. It sends nothing if the idempotency key has already completed the entry, or an entry of the task.
 */
function stepsOf({ before, environment }: Decided, command: SubmitForm): Command[] {
  const { form, values, completion, userId } = command;
  const key = completion?.idempotencyKey ?? null;
  const isOwn = ({ id }: { readonly id: string }, taskId: string) =>
    'entryId' in form ? id === form.entryId : taskId === form.runTaskId;
  const isReplay = before.tasks.some((task) =>
    task.entries.some((entry) => isOwn(entry, task.id) && entry.completionKeys.some((known) => known === key)),
  );
  if (isReplay) return [];
  const opening = 'newEntryId' in form ? openingOf(command, form) : null;
  const rejection = opening ? decide(before, opening, environment).rejection : null;
  const isOpen = rejection?.code === 'entry_open';
  const named = isOpen ? (/open entry (\S+);/.exec(rejection.message)?.[1] ?? '') : '';
  const entryId = 'entryId' in form ? form.entryId : isOpen ? named : form.newEntryId;
  return [
    ...(opening && !isOpen ? [opening] : []),
    { type: 'submitValues', entryId, values, userId },
    ...(completion ? [{ type: 'completeEntry', entryId, idempotencyKey: key, userId } as const] : []),
  ];
}

function openingOf({ userId }: SubmitForm, form: Extract<SubmitForm['form'], { newEntryId: string }>): Command {
  return { type: 'openEntry', runTaskId: form.runTaskId, entryId: form.newEntryId, userId };
}
