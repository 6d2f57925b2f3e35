import { html } from '../../html.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { loadPeople } from '../people.ts';
import { commentsSection } from './comments-section.ts';
import { threadOfRun, threadOfTask, type Thread } from './thread.ts';

/** All comments on a run and its tasks, or on a task, by pages. */
export async function showComments(request: ConsoleRequest): Promise<ConsoleView> {
  return renderThread(request, await findThread(request));
}

/** The comments on the task that the URL names, or otherwise on the run. */
export async function findThread(request: ConsoleRequest): Promise<Thread> {
  const { runs } = request.api;
  const { id = '', runTaskId } = request.params;
  return runTaskId === undefined
    ? threadOfRun(request, await runs.get(id))
    : threadOfTask(request, await runs.tasks.get(runTaskId));
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
  return {
    title: `Comments on ${thread.title}`,
    section: thread.section,
    errors,
    main: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${thread.page}">${thread.title}</a></nav>
      ${section}
      <p class="note">Times are in ${formats.timeZone}.</p>`,
  };
}
