import { isNotFound } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { failureOf, rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { pathWith } from '../next-page.ts';
import { answerOf, readAnswer } from './answers.ts';
import { decide, mayDecide } from './approval.ts';
import { assign } from './assignment.ts';
import { fillForm, type Wish } from './fill-form.ts';
import { isAnswered, savedForm, sentForm, type FormState } from './form-state.ts';
import { renderTask, whyClosed } from './render-task.ts';
import { loadTask, type TaskData } from './task-data.ts';

type Answer = Promise<ConsoleView | Redirect>;

/** What the buttons of a task do, besides those that fill in its form. Each returns the notice that follows. */
const buttons = { approve: decide, reject: decide, take: assign, release: assign, reassign: assign } as const;

/** Does what the pressed button of the page of a task says. */
export async function submitTask(request: ConsoleRequest): Answer {
  try {
    return await act(request);
  } catch (error) {
    const { status } = failureOf(error);
    if (status === 403 || status === 404) return gone(request, status);
    throw error;
  }
}

async function act(request: ConsoleRequest): Answer {
  const [action = '', id = ''] = (request.form.get('action') ?? 'save').split(':');
  const data = await loadTask(request);
  if (Object.hasOwn(buttons, action)) return press(request, data, action as keyof typeof buttons);
  if (!data.isOpen) return closed(request, data, action);
  if (action === 'remove') return removeFile(request, id);
  const state = await sentForm(request, data);
  if (action === 'search') return renderTask(request, data, state, { status: state.problems.size > 0 ? 400 : 200 });
  return fill(request, data, state, action === 'complete' || action === 'request' ? action : 'save');
}

/** Whether the task was completed with the answers of this form, because it was sent twice. */
function isSentTwice({ form, formats }: ConsoleRequest, { entry, fields }: TaskData): boolean {
  if (entry?.status !== 'COMPLETED') return false;
  const values = new Map(entry.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
  return fields
    .filter(isAnswered)
    .every((field) => readAnswer(form, field) === answerOf(field, values.get(field.id), formats.timeZone));
}

async function fill(request: ConsoleRequest, data: TaskData, state: FormState, wish: Wish): Answer {
  const outcome = await fillForm(request, data, state, wish);
  if (!('state' in outcome)) {
    if (wish === 'complete') return nextTask(request, data);
    const entry = data.task.repeatable && outcome.entryId !== undefined ? { entry: outcome.entryId } : {};
    return { redirectTo: pathWith(request, { ...entry, notice: wish === 'save' ? 'saved' : 'requested' }) };
  }
  const fresh = await loadTask(request, outcome.entryId);
  if (!fresh.isOpen) return closed(request, fresh, wish);
  return renderTask(request, fresh, shownIn(fresh, outcome.state, request), { status: outcome.status });
}

/** The state of a form for fields that may have appeared meanwhile. */
function shownIn(data: TaskData, state: FormState, { formats }: ConsoleRequest): FormState {
  return { ...state, answers: new Map([...savedForm(data, formats.timeZone).answers, ...state.answers]) };
}

async function press(request: ConsoleRequest, data: TaskData, action: keyof typeof buttons): Answer {
  try {
    const notice = await buttons[action](request, data, action);
    return { redirectTo: pathWith(request, { notice }) };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return refused(request, status, messages);
  }
}

async function removeFile(request: ConsoleRequest, fileId: string): Answer {
  let messages: readonly string[] = [];
  try {
    await request.api.files.delete(fileId);
  } catch (error) {
    // What is gone already is what was wanted.
    if (!isNotFound(error)) messages = rejectionOf(error).messages;
  }
  const data = await loadTask(request);
  if (!data.isOpen) return closed(request, data, 'remove');
  const state = { ...(await sentForm(request, data)), messages };
  return renderTask(request, data, state, { status: messages.length > 0 ? 400 : 200 });
}

/** The page of the task as it is now, with what was wrong. */
export async function refused(
  request: ConsoleRequest,
  status: number,
  messages: readonly string[],
  problems: ReadonlyMap<string, string> = new Map(),
): Promise<ConsoleView> {
  const data = await loadTask(request);
  const state = savedForm(data, request.formats.timeZone);
  const lost = mayDecide(request, data) ? null : sentTexts(request, new Map([['comment', 'Comment']]));
  return renderTask(request, data, { ...state, messages, problems }, { status, lost });
}

/** Leads to the next task, unless another entry of this one is open. */
async function nextTask(request: ConsoleRequest, { task }: TaskData): Promise<Redirect> {
  const { api } = request;
  if (task.repeatable && (await api.runs.tasks.get(task.runTaskId)).status !== 'COMPLETED') {
    return { redirectTo: pathWith(request, { entry: null, notice: 'entryCompleted' }) };
  }
  const { data } = await api.me.tasks.list({ limit: 2, total: 'bounded' });
  const next = data.find(({ runTaskId }) => runTaskId !== task.runTaskId);
  const path = next
    ? `${consolePaths.tasks}/${next.runTaskId}?notice=completed`
    : `${consolePaths.tasks}?notice=allDone`;
  return { redirectTo: path };
}

/** The page of a task that takes no answers any more, with those that were sent unless they are saved. */
async function closed(request: ConsoleRequest, data: TaskData, action: string): Answer {
  if (action === 'complete' && isSentTwice(request, data)) {
    return { redirectTo: pathWith(request, { notice: 'completed' }) };
  }
  const labels = new Map(data.form.fields.map(({ id, label }) => [`f-${id}`, label]));
  const state = savedForm(data, request.formats.timeZone);
  const messages = [`${whyClosed(data)} Your answers were not saved.`];
  return renderTask(request, data, { ...state, messages }, { status: 409, lost: sentTexts(request, labels) });
}

/** The page in place of a task that is gone, or that the visitor has no access to any more, with what was sent. */
function gone(request: ConsoleRequest, status: 403 | 404): ConsoleView {
  const why =
    status === 403
      ? 'You have no access to this task any more.'
      : 'There is no such task or entry, or it was removed meanwhile.';
  return {
    title: status === 403 ? 'No access' : 'Not found',
    section: 'tasks',
    status,
    hasProblem: true,
    main: html`<p role="alert">${why} Nothing was saved.</p>
      ${sentTexts(request, new Map())}`,
  };
}

/** What was sent, as text to copy. */
function sentTexts({ form }: ConsoleRequest, labels: ReadonlyMap<string, string>): Child {
  const sent = [...form].filter(([name, text]) => (name.startsWith('f-') || name === 'comment') && text !== '');
  if (sent.length === 0) return null;
  return html`<section aria-labelledby="sent">
    <h2 id="sent">What you entered</h2>
    <p class="note">Copy what you still need.</p>
    <dl class="values">
      ${sent.map(
        ([name, text], index) =>
          html`<div>
            <dt>${labels.get(name) ?? `Answer ${index + 1}`}</dt>
            <dd class="said">${text}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
