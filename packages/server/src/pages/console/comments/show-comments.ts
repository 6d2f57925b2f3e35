import { html } from '../../html.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { errorSummary, type FormError } from '../forms/form-errors.ts';
import { loadPeople } from '../people.ts';
import { commentsSection } from './comments-section.ts';
import { threadOfRun, threadOfTask, type Thread } from './thread.ts';

/** All comments on a run and its tasks, by pages. */
export async function showRunComments(request: ConsoleRequest): Promise<ConsoleView> {
  return renderThread(request, await findRunThread(request));
}

/** All comments on a task, by pages. */
export async function showTaskComments(request: ConsoleRequest): Promise<ConsoleView> {
  return renderThread(request, await findTaskThread(request));
}

/** The comments on the run that the URL names. */
export async function findRunThread(request: ConsoleRequest): Promise<Thread> {
  return threadOfRun(request, await request.api.runs.get(request.params['id'] ?? ''));
}

/** The comments on the task that the URL names. */
export async function findTaskThread(request: ConsoleRequest): Promise<Thread> {
  return threadOfTask(request, await request.api.runs.tasks.get(request.params['runTaskId'] ?? ''));
}

/** A page with comments. If a comment could not be accepted, its text is still there. */
export async function renderThread(
  request: ConsoleRequest,
  thread: Thread,
  { entered = '', errors = [] }: { readonly entered?: string; readonly errors?: readonly FormError[] } = {},
): Promise<ConsoleView> {
  const { query, formats } = request;
  const cursor = query.get('cursor') ?? undefined;
  const section = await commentsSection(request, thread, await loadPeople(request), { cursor, entered, errors });
  const hasProblem = errors.length > 0;
  return {
    title: `Comments on ${thread.title}`,
    section: thread.section,
    hasProblem,
    status: hasProblem ? 400 : 200,
    main: html`${errorSummary(errors)}
      <nav class="crumbs" aria-label="Breadcrumb"><a href="${thread.page}">${thread.title}</a></nav>
      ${section}
      <p class="note">Times are in ${formats.timeZone}.</p>`,
  };
}
