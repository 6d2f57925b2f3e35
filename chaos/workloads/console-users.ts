import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '@runward/testing/api';
import { addMember, type TestMember } from '@runward/testing/members';
import { formWith } from '@runward/testing/page-client';
import { createRandom, type Random } from '@runward/testing/random';
import { isConfirmed, type ConsoleHistory, type SentForm } from '../history/console-history.ts';
import { fact } from '../history/history.ts';
import type { Owner } from './approver.ts';
import { openBrowser, type Browser } from './browser.ts';
import type { Caller } from './client.ts';
import type { Template } from './prepare.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/** Members who work in the console. */
export interface ConsoleUsers extends Omit<ConsoleHistory, 'entries'>, Stoppable {}

const tasksPath = '/console/tasks';

/**
 * Starts members who sign in like browsers without scripts, and fill in the forms of their tasks. Tasks are launched
 * for them, so that each task has one member, who therefore knows what its form contains.
 */
export async function startConsoleUsers(
  caller: Caller,
  { template, owner, baseUrl }: { readonly template: Template; readonly owner: Owner; readonly baseUrl: string },
  seed: number,
): Promise<ConsoleUsers> {
  const session = await signIn(baseUrl, owner.ownerEmail, owner.ownerPassword);
  const members = await Promise.all(
    Array.from({ length: 3 }, (_, index) => addMember(baseUrl, session, { name: `Console user ${index + 1}` })),
  );
  const forms: SentForm[] = [];
  const problems: string[] = [];

  const work = async (member: TestMember, name: string, signal: AbortSignal) => {
    const random = createRandom(seed, name);
    let browser: Browser | null = null;
    while (!signal.aborted) {
      try {
        if (!browser || random.next() < 0.05) browser = await openBrowser(caller, member);
        const inbox = await browser.open(`${tasksPath}?show=ASSIGNED`);
        const ids = [...inbox.matchAll(/href="\/console\/tasks\/([\da-f-]{36})"/g)].map(([, id = '']) => id);
        // Nobody knows whether a form without a response was applied, so that its task is left alone.
        const [first, ...others] = ids.filter((id) =>
          forms.every((form) => form.runTaskId !== id || isConfirmed(form)),
        );
        if (first === undefined || others.length === 0) await launchFor(caller, template, member.id);
        else await fillIn(browser, random.pick([first, ...others]), { forms, random, signal });
      } catch (error) {
        if (!isUnavailable(error)) problems.push(String(error));
        await pause(500);
      }
    }
  };
  return {
    ...untilStopped((signal) =>
      Promise.all(members.map((member, index) => work(member, `console user ${index + 1}`, signal))),
    ),
    memberIds: members.map(({ id }) => id),
    forms,
    problems,
  };
}

/**
 * Whether a browser gave up because no process accepted connections, or had time for the request, as on a slow machine
 * with two processes down. It does not give up before 90 s.
 */
function isUnavailable(error: unknown): boolean {
  return /^(?:TypeError: fetch failed|Error: The status is (?:429|503)\.)$/.test(String(error));
}

/** Launches a run whose first task is assigned to a member. */
async function launchFor(caller: Caller, { templateId }: Template, assigneeId: string): Promise<void> {
  const title = `Console ${randomUUID()}`;
  const { id } = await caller.write(
    { name: 'launch', title, runId: null, facts: [fact('run.started')] },
    (api, options) => api.runs.launch({ templateId, title }, options),
  );
  const { tasks } = await caller.read((api, options) => api.runs.get(id, {}, options));
  const runTaskId = tasks.find((task) => task.title === 'Form')?.runTaskId ?? '';
  await caller.write(
    { name: 'assign task', title, runId: id, facts: [fact('task.assigned', runTaskId)] },
    (api, options) => api.runs.tasks.setAssignee(runTaskId, { assigneeId }, options),
  );
}

/** Opens a task and sends its form a few times, each time with another answer, at most until the task is completed. */
async function fillIn(
  browser: Browser,
  runTaskId: string,
  { forms, random, signal }: { readonly forms: SentForm[]; readonly random: Random; readonly signal: AbortSignal },
): Promise<void> {
  const path = `${tasksPath}/${runTaskId}`;
  let page: string | null = await browser.open(path);
  do {
    const form = formWith(page, 'value="complete"');
    const field = [...form.fields.keys()].find((name) => name.startsWith('f-')) ?? '';
    const answer = randomUUID();
    const button = random.next() < 0.2 ? 'complete' : 'save';
    form.fields.set(field, answer);
    form.fields.set('action', button);
    const at = Date.now();
    const sent = await browser.send(form);
    page = sent.status === null ? null : await browser.open(path).catch(() => null);
    const filledIn = { at, runTaskId, answer, button, ...sent, isShown: page?.includes(answer) ?? null } as const;
    forms.push(filledIn);
    if (button === 'complete' || !isConfirmed(filledIn)) return;
    await pause(random.between(20, 200));
  } while (page !== null && random.next() < 0.8 && !signal.aborted);
}
