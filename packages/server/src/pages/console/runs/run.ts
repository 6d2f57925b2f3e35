import type { Run } from '@runward/sdk';
import { badRequest } from '../../../api-error.ts';
import { instantOf } from '../../../calendar.ts';
import { html, type Child } from '../../html.ts';
import { commentsSection } from '../comments/comments-section.ts';
import { threadOfRun } from '../comments/thread.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { ifExists } from '../if-exists.ts';
import { localTimeProblem } from '../local-time.ts';
import { loadPeople, type People } from '../people.ts';
import { runActions, timeTravelForm } from './run-actions.ts';
import { activitySection } from './run-activity.ts';
import { runFacts } from './run-facts.ts';
import { filesSection } from './run-files.ts';
import { taskSection, type TaskNames } from './run-tasks.ts';
import { earlierValues, valuesSection } from './run-values.ts';

/** A run: its facts, tasks, values, files and activity. With `at`, as it was then. */
export async function showRun(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, query, formats } = request;
  const runId = params['id'] ?? '';
  const local = query.get('at') ?? '';
  const at = local === '' ? null : instantOf(local, formats.timeZone);
  if (at === undefined) throw badRequest('validation_failed', `at: ${localTimeProblem(formats.timeZone)}`);
  const run = await api.runs.get(runId, at === null ? {} : { at, include: 'fieldValues' });
  const [template, version, people] = await Promise.all([
    ifExists(api.templates.get(run.templateId)),
    ifExists(api.templates.versions.get(run.templateId, run.templateVersionId)),
    loadPeople(request),
  ]);
  const names: TaskNames = { phases: version?.phases ?? [], assigneeOf: people.assigneeOf };
  const facts = runFacts(request, run, { template, version, members: people });
  const main =
    at === null
      ? html`${facts} ${await current(request, run, names, people)}`
      : html`${earlierNotice(request, at)} ${facts} ${taskSection(request, run, names, null)}
        ${earlierValues(request, run, { people, fields: version?.tasks.flatMap(({ fields }) => fields) ?? [] })}`;
  return {
    title: run.title,
    section: 'runs',
    main: html`${main} ${timeTravelForm(request, local)}
      <p class="note">Times are in ${formats.timeZone}.</p>`,
  };
}

/** What exists only for the run as it is now. */
async function current(request: ConsoleRequest, run: Run, names: TaskNames, people: People): Promise<Child> {
  const [explanation, values, files, activity, comments] = await Promise.all([
    request.api.runs.explain(run.id),
    valuesSection(request, run),
    filesSection(request, run),
    activitySection(request, run, people),
    commentsSection(request, threadOfRun(request, run), people),
  ]);
  return html`${runActions(request, run, explanation)} ${taskSection(request, run, names, explanation)} ${values}
  ${files} ${comments} ${activity}`;
}

function earlierNotice({ formats, path }: ConsoleRequest, at: string): Child {
  return html`<p class="notice" role="status">
    This is the run as it was on ${formats.time(at)}. Nothing can be changed here.
    <a href="${path}">Show the run as it is now</a>.
  </p>`;
}
