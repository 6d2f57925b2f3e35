import type { ActivityActor, Run } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import type { Members } from '../people.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';
import { activityInWords } from './activity-words.ts';

/** What happened in a run, newest first: when, what, and who did it. */
export async function activitySection(request: ConsoleRequest, run: Run, members: Members): Promise<Child> {
  const { api, formats } = request;
  const lines = await api.runs.activity(run.id, chosenPage(request));
  const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
  const titleOf = (runTaskId: string) => titles.get(runTaskId) ?? 'a removed task';
  const rows = lines.data.map((line) => [
    activityInWords(line, titleOf),
    actorName(line.actor, members),
    timeTag(formats, line.at),
  ]);
  return html`<section aria-labelledby="activity">
    <h2 id="activity">Activity</h2>
    ${renderTable({ caption: 'Activity, newest first', columns: ['What', 'Who', 'When'], rows })}
    ${nextPageLink(request, lines.nextCursor, { text: 'Earlier activity', anchor: 'activity' })}
  </section>`;
}

/** Who did something, as lists name them. */
export function actorName({ type, userId }: ActivityActor, members: Members): string {
  if (type === 'SYSTEM' || userId === null) return 'Runward';
  return type === 'API_KEY' ? `${members.nameOf(userId)} (API key)` : members.nameOf(userId);
}
