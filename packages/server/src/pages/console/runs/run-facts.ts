import type { Run, Template, TemplateVersionDocument } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fact } from '../fact.ts';
import type { Members } from '../people.ts';
import { statusMark } from '../status.ts';
import { timeTag } from '../time-tag.ts';
import { visibleTasks } from './run-rows.ts';

/** To what and to whom a run belongs. */
interface Context {
  /** Null if it was deleted. */
  readonly template: Template | null;
  readonly version: TemplateVersionDocument | null;
  readonly members: Members;
}

/** The header of a run: its public id, status, template, owner, days and progress. */
export function runFacts({ formats }: ConsoleRequest, run: Run, { template, version, members }: Context): Markup {
  const tasks = visibleTasks(run);
  const done = tasks.filter(({ status }) => status === 'COMPLETED').length;
  const time = (timestamp: string) => timeTag(formats, timestamp);
  return html`<dl class="facts">
    ${fact('Run', run.publicId)} ${fact('Status', statusMark(run.status))}
    ${fact('Template', `${template?.name ?? 'Deleted template'}${version ? `, version ${version.number}` : ''}`)}
    ${fact('Owner', members.nameOf(run.ownerUserId))} ${fact('Started', time(run.createdAt))}
    ${fact('Planned for', formats.date(run.scheduledDateLocal))}
    ${fact('Tasks done', `${formats.number(done)} of ${formats.number(tasks.length)}`)}
    ${run.completedAt !== null && fact('Completed', time(run.completedAt))}
    ${run.cancelledAt !== null && fact('Cancelled', time(run.cancelledAt))}
    ${run.archivedAt !== null && fact('Archived', time(run.archivedAt))}
  </dl>`;
}
