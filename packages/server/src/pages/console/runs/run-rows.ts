import type { Run, RunListItem, Template } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { Members } from '../people.ts';
import { statusMark } from '../status.ts';
import { templateNames } from '../template-names.ts';
import { timeTag } from '../time-tag.ts';

/** The columns of the list of runs. */
export const runColumns = ['Run', 'Template', 'Status', 'Owner', 'Planned for', 'Started', 'Ended'] as const;

/** Makes the rows of a page of the list. */
export async function runRows(
  request: ConsoleRequest,
  runs: readonly RunListItem[],
  templates: readonly Template[],
  members: Members,
): Promise<Child[][]> {
  const { formats } = request;
  const ids = runs.map(({ templateId }) => templateId);
  const nameOf = await templateNames(request, ids, templates);
  return runs.map((run) => {
    const endedAt = run.completedAt ?? run.cancelledAt;
    return [
      html`<a href="${consolePaths.runs}/${run.id}"><bdi>${run.title}</bdi></a>
        <span class="soft">${run.publicId}</span>`,
      nameOf(run.templateId),
      statusMark(run.status),
      members.nameOf(run.ownerUserId),
      formats.date(run.scheduledDateLocal),
      timeTag(formats, run.createdAt),
      endedAt !== null && timeTag(formats, endedAt),
    ];
  });
}

/** The tasks of a run that people see. */
export function visibleTasks({ tasks }: Run): Run['tasks'] {
  return tasks.filter(({ hidden }) => !hidden);
}
