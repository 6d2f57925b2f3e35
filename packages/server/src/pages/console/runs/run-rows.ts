import type { Run, RunListItem, Template } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { inParts } from '../in-parts.ts';
import { ifExists, type Members } from '../names.ts';
import { statusMark } from '../status.ts';

/** The columns of the list of runs. */
export const runColumns = ['Run', 'Template', 'Status', 'Owner', 'Due', 'Tasks done', 'Started'] as const;

/** Makes the rows of a page of the list. Lists do not contain tasks, so each run is read for its progress. */
export async function runRows(
  request: ConsoleRequest,
  runs: readonly RunListItem[],
  templates: readonly Template[],
  members: Members,
): Promise<Child[][]> {
  const { api, formats } = request;
  const [details, nameOf] = await Promise.all([
    inParts(runs, ({ id }) => ifExists(api.runs.get(id))),
    templateNames(request, runs, templates),
  ]);
  return runs.map((run, index) => [
    html`<a href="${consolePaths.runs}/${run.id}"><bdi>${run.title}</bdi></a>
      <span class="soft">${run.publicId}</span>`,
    nameOf(run.templateId),
    statusMark(run.status),
    members.nameOf(run.ownerUserId),
    due(request, details[index] ?? null),
    progress(details[index] ?? null),
    html`<time datetime="${run.createdAt}">${formats.time(run.createdAt)}</time>`,
  ]);
}

/** The tasks of a run that people see. */
export function visibleTasks({ tasks }: Run): Run['tasks'] {
  return tasks.filter(({ hidden }) => !hidden);
}

function progress(run: Run | null): Child {
  if (!run) return null;
  const tasks = visibleTasks(run);
  return `${tasks.filter(({ status }) => status === 'COMPLETED').length} of ${tasks.length}`;
}

/** The earliest deadline of an open task. */
function due({ formats, now }: ConsoleRequest, run: Run | null): Child {
  if (!run || run.completedAt !== null || run.cancelledAt !== null) return null;
  const open = visibleTasks(run).filter(({ status }) => status !== 'COMPLETED');
  const [first] = open.flatMap(({ deadlineAt }) => deadlineAt ?? []).sort();
  if (first === undefined) return null;
  const isPast = new Date(first) < now;
  return html`<time datetime="${first}" class="${isPast && 'overdue'}"
    >${isPast && 'Overdue since '}${formats.time(first)}</time
  >`;
}

async function templateNames(
  { api }: ConsoleRequest,
  runs: readonly RunListItem[],
  templates: readonly Template[],
): Promise<(templateId: string) => string> {
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  const missing = new Set(runs.map(({ templateId }) => templateId).filter((id) => !names.has(id)));
  const found = await inParts([...missing], (id) => ifExists(api.templates.get(id)));
  for (const template of found) if (template) names.set(template.id, template.name);
  return (templateId) => names.get(templateId) ?? 'Deleted template';
}
