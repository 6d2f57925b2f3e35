import type { Client } from '../client-type.ts';
import type { RunListItem } from '../generated/runs.ts';
import { choose, matching, onlyOne, type Naming } from './choose.ts';
import { FindError } from './find-error.ts';
import { isId } from './ids.ts';

/** A part of an id is searched among this many newest runs, and as many archived ones. */
const maximumSearched = 2_000;

const naming: Naming<RunListItem> = {
  noun: 'run',
  relation: 'has the title',
  idOf: ({ id }) => id,
  namesOf: ({ title }) => [title],
  detailOf: ({ publicId, status }) => `${publicId}, ${status}`,
};

/**
 * Finds the run that a text refers to: its id, its public id (`RUN-…`), its title, or at least 6 characters from the
 * start or end of its id. Returns its id. Archived runs count only if no other run fits.
 *
 * @throws FindError if no run fits or several do, or an error of the request
 */
export async function findRunId(client: Client, text: string): Promise<string> {
  const wanted = text.trim().toLowerCase();
  if (isId(wanted)) return wanted;
  if (/^run-[0-9a-z]{1,20}$/.test(wanted)) {
    const [run] = (await client.runs.list({ publicId: wanted })).data;
    return run?.id ?? absent(text);
  }
  const titled = wanted === '' ? [] : await searchTitles(client, text.trim());
  if (matching(titled, text, naming.namesOf).length === 0 && /^[0-9a-f-]{6,36}$/.test(wanted)) {
    const found = await scan(client, text, ({ id }) => id.startsWith(wanted) || id.endsWith(wanted));
    if (found !== undefined) return found;
  }
  const isFound = matching(titled, text, naming.namesOf).length > 0;
  return choose(isFound ? titled : await withNewest(client, titled), text, naming).id;
}

/** Runs whose titles contain a text. Archived runs are included only if no other run has this title. */
async function searchTitles({ runs }: Client, text: string): Promise<RunListItem[]> {
  const query = { search: text.slice(0, 255), limit: 200 };
  const { data } = await runs.list(query);
  if (matching(data, text, naming.namesOf).length > 0) return [...data];
  return [...data, ...(await runs.list({ ...query, archived: true })).data];
}

/** Adds the newest runs, which a misspelled title may mean. */
async function withNewest({ runs }: Client, titled: readonly RunListItem[]): Promise<RunListItem[]> {
  return [...titled, ...(await runs.list({ limit: 200 })).data];
}

/** The id of the matching run among the newest ones. */
async function scan({ runs }: Client, text: string, fits: (run: RunListItem) => boolean): Promise<string | undefined> {
  for (const archived of [false, true]) {
    const found: RunListItem[] = [];
    let searched = 0;
    for await (const run of runs.list({ archived, limit: 200 })) {
      if (fits(run)) found.push(run);
      searched += 1;
      if (searched === maximumSearched) break;
    }
    const only = onlyOne(found, text, naming, 'use more of the ID');
    if (only) return only.id;
  }
  return undefined;
}

function absent(text: string): never {
  const messages = [`No run has the ID ${text.trim()}.`];
  throw new FindError({ noun: naming.noun, reason: 'none', messages, suggests: false });
}
