import type { Activity, Client, Run } from '@runward/sdk';
import { fieldLabels } from '@runward/sdk/find';
import { membersIfAllowed } from '../../lookup/member.ts';
import type { Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { shownTime } from '../../output/readable.ts';
import { wrapped } from '../../output/wrapped.ts';

/** In front of what does not fit in the first line. */
const indent = '  ';

/**
 * Prints items of an activity log as lines: when, what, in which task and field, and by whom. The names of fields and
 * members are read when they are first needed.
 */
export function activityPrinter(output: Output, client: Client): (item: Activity, run: Run) => Promise<void> {
  let labels: ReadonlyMap<string, string> = new Map();
  let members: Promise<ReadonlyMap<string, string>> | undefined;

  async function labelOf(fieldId: string, run: Run): Promise<string | undefined> {
    if (!labels.has(fieldId)) labels = new Map([...labels, ...(await fieldLabels(client, run.id))]);
    return labels.get(fieldId);
  }

  async function nameOf({ type, userId }: Activity['actor']): Promise<string | null> {
    if (userId === null) return null;
    members ??= memberNames(client);
    const name = (await members).get(userId) ?? userId;
    return type === 'API_KEY' ? `${name} (API key)` : name;
  }

  return async ({ at, type, runTaskId, actor, data }, run) => {
    const fieldId = data['fieldId'];
    const title = run.tasks.find((task) => task.runTaskId === runTaskId)?.title;
    const label = typeof fieldId === 'string' ? await labelOf(fieldId, run) : undefined;
    const by = await nameOf(actor);
    const about = [title, label].filter((name) => name !== undefined).map((name) => `"${name}"`);
    const text = [`${shownTime(output, at)}  ${type}`, about.join(', '), by === null ? '' : `by ${by}`]
      .filter((part) => part !== '')
      .join('  ');
    const [first = '', ...others] = wrapped(printable(text), output.width - indent.length);
    output.write([first, ...others.map((line) => indent + line.trimStart())].map((line) => line.trimEnd()).join('\n'));
  };
}

async function memberNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const members = (await membersIfAllowed(client, { status: 'ALL' })) ?? [];
  return new Map(members.map(({ id, name }) => [id, name]));
}
