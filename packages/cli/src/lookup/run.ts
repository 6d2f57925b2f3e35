import type { Client, RunListItem } from '@runward/sdk';
import { notFound, usage } from '../errors.ts';
import { isId } from './ids.ts';

/** How help describes an argument that names a run. */
export const runArgument = 'ID or public ID (RUN-…) of the run, the start or end of its ID, or @last for the newest';

/** How many runs are searched for a public ID or a part of an ID, and as many archived ones. */
const maximumSearched = 2_000;

/**
 * The ID of a run from the command line: its ID or public ID, the start or end of its ID (from 6 characters), or `@last`. Anything but an ID is
 * looked for among the newest runs, then among the newest archived ones.
 *
 * @throws CliError if no run fits, or several do
 */
export async function findRunId(client: Client, text: string): Promise<string> {
  const wanted = text.trim().toLowerCase();
  if (isId(wanted)) return wanted;
  if (wanted === '@last') return newestRun(client);
  if (!/^(run-[0-9a-z]+|[0-9a-f-]{6,36})$/.test(wanted)) {
    throw usage(`"${text}" is not the ID of a run (a UUID, a part of one, or RUN-…). Find it with: runward runs list`);
  }
  const fits = ({ id, publicId }: RunListItem) =>
    publicId.toLowerCase() === wanted || id.startsWith(wanted) || id.endsWith(wanted);
  for (const archived of [false, true]) {
    const found = await searchRuns(client, archived, fits);
    if (found.length > 1) {
      const lines = found.map(({ id, publicId, title }) => `${id}  ${publicId}  ${title}`);
      throw usage(`"${text}" fits several runs; use more of the ID:`, ...lines.slice(0, 10));
    }
    if (found[0]) return found[0].id;
  }
  throw notFound(
    `None of the newest ${maximumSearched} runs has the ID ${text}. For an older one, use its complete ID: runward runs list --fields publicId,id`,
  );
}

/** The IDs of several runs, each once. See {@link findRunId}. */
export async function findRunIds(client: Client, texts: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of texts) ids.add(await findRunId(client, text));
  return [...ids];
}

async function newestRun({ runs }: Client): Promise<string> {
  const { data } = await runs.list({ limit: 1 });
  if (data[0]) return data[0].id;
  throw notFound('There is no run that is not archived. Launch one with: runward runs launch');
}

async function searchRuns(
  { runs }: Client,
  archived: boolean,
  fits: (run: RunListItem) => boolean,
): Promise<RunListItem[]> {
  const found: RunListItem[] = [];
  let searched = 0;
  for await (const run of runs.list({ archived, limit: 200 })) {
    if (fits(run)) found.push(run);
    searched += 1;
    if (searched === maximumSearched) break;
  }
  return found;
}
