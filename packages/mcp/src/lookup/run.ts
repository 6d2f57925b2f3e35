import type { Client, Run } from '@runward/sdk';
import { ToolError } from '../tool-error.ts';
import { choose } from './choose.ts';
import { isId } from './ids.ts';

/** How many runs are searched for a public id, and as many archived ones. */
const maximumSearched = 2_000;

/**
 * The id of a run by its id, its public id (`RUN-…`) or its title. Archived runs are found if no other run fits.
 *
 * @throws ToolError if none or several fit
 */
export async function findRunId(client: Client, text: string): Promise<string> {
  const wanted = text.trim();
  if (isId(wanted)) return wanted.toLowerCase();
  if (/^run-[0-9a-z]+$/i.test(wanted)) return byPublicId(client, wanted.toUpperCase());
  const search = wanted.slice(0, 255);
  const active = await client.runs.list({ search, limit: 50 });
  const { data } = active.data.length > 0 ? active : await client.runs.list({ search, archived: true, limit: 50 });
  return choose(data, {
    kind: 'run',
    text,
    nameOf: ({ title }) => title,
    show: ({ publicId, title, status }) => `${publicId}  ${title} (${status})`,
    remedy: 'List the runs with find_runs.',
  }).id;
}

/** A run by its id, its public id or its title. See {@link findRunId}. */
export async function findRun(client: Client, text: string): Promise<Run> {
  return client.runs.get(await findRunId(client, text));
}

async function byPublicId({ runs }: Client, publicId: string): Promise<string> {
  for (const archived of [false, true]) {
    let searched = 0;
    for await (const run of runs.list({ archived, limit: 200 })) {
      if (run.publicId === publicId) return run.id;
      searched += 1;
      if (searched === maximumSearched) break;
    }
  }
  throw new ToolError(`None of the newest ${maximumSearched} runs is ${publicId}. List the runs with find_runs.`);
}
