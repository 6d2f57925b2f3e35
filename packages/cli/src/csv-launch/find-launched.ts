import { setTimeout as pause } from 'node:timers/promises';
import { isPermissionError, type Client, type RunListItem } from '@runward/sdk';
import pLimit from 'p-limit';
import type { Target } from '../launch/target.ts';
import { partOf } from '../output/cells.ts';
import type { Intent } from './journal.ts';
import { contentOf } from './rows.ts';

/** What became of a launch whose response was lost. */
export type Finding =
  | { readonly kind: 'launched'; readonly run: RunListItem }
  | { readonly kind: 'not launched' }
  | { readonly kind: 'unclear'; readonly reason: string; readonly candidates: readonly RunListItem[] };

const concurrentRequests = 8;
// How far the clocks of servers behind one address may differ.
const clockSkewMs = 60_000;

/**
 * Finds the runs of launches whose responses were lost. A run is recognized by the first item of its activity log,
 * which keeps the launch data even if the run was renamed. A request in flight may still take effect for `settleMs`, so
 * "not launched" is returned only after that time.
 */
export async function findLaunched(
  client: Client,
  target: Target,
  intents: readonly Intent[],
  options: { readonly known: ReadonlySet<string>; readonly settleMs: number },
): Promise<Map<string, Finding>> {
  try {
    const findings = await search(client, target, intents, options.known);
    const open = intents.filter(({ row }) => findings.get(row)?.kind === 'not launched');
    const waitMs = Math.max(0, ...open.map(({ at }) => options.settleMs - Math.max(0, Date.now() - Date.parse(at))));
    if (waitMs === 0) return findings;
    await pause(Math.min(waitMs, options.settleMs));
    return await search(client, target, intents, options.known);
  } catch (error) {
    if (!isPermissionError(error)) throw error;
    const reason = 'the API key does not have the scope to read runs';
    return new Map(intents.map(({ row }) => [row, { kind: 'unclear', reason, candidates: [] }]));
  }
}

async function search(
  client: Client,
  target: Target,
  intents: readonly Intent[],
  known: ReadonlySet<string>,
): Promise<Map<string, Finding>> {
  const since = Math.min(...intents.map((intent) => Date.parse(intent.since))) - clockSkewMs;
  const candidates = (await runsSince(client, target.templateId, since)).filter(({ id }) => !known.has(id));
  const launches = await pLimit(concurrentRequests).map(candidates, (run) => readLaunch(client, run));
  const groups = Map.groupBy(intents, ({ body }) => contentOf(body));

  const findings = new Map<string, Finding>();
  const claims = new Map<RunListItem, number>();
  const matching = [...groups].map(([, rows]) => {
    const matches = launches
      .filter((launch) => rows[0] && matchesIntent(launch, rows[0], target))
      .map(({ run }) => run);
    for (const run of matches) claims.set(run, (claims.get(run) ?? 0) + 1);
    return { rows, matches };
  });
  for (const { rows, matches } of matching) {
    const isAmbiguous = matches.length > rows.length || matches.some((run) => (claims.get(run) ?? 0) > 1);
    for (const [index, { row }] of rows.entries()) {
      const run = matches[index];
      if (isAmbiguous) {
        const reason = 'more runs match than these rows can have launched';
        findings.set(row, { kind: 'unclear', reason, candidates: matches });
      } else findings.set(row, run ? { kind: 'launched', run } : { kind: 'not launched' });
    }
  }
  return findings;
}

async function runsSince({ runs }: Client, templateId: string, since: number): Promise<RunListItem[]> {
  const found: RunListItem[] = [];
  for (const archived of [false, true]) {
    for await (const run of runs.list({ templateId, archived })) {
      if (Date.parse(run.createdAt) < since) break;
      found.push(run);
    }
  }
  return found;
}

interface Launch {
  readonly run: RunListItem;
  readonly byKey: boolean;
  readonly data: unknown;
}

async function readLaunch({ runs }: Client, run: RunListItem): Promise<Launch> {
  for await (const { type, actor, data } of runs.activity(run.id)) {
    if (type === 'run.started') return { run, byKey: actor.type === 'API_KEY', data };
  }
  return { run, byKey: true, data: null };
}

/** Whether a row can have launched a run: an API key launched it, with everything that the row specifies. */
function matchesIntent({ byKey, data }: Launch, { body }: Intent, { members }: Target): boolean {
  const matches = (name: string, value: unknown) => value === undefined || partOf(data, name) === value;
  const owner = members?.find(({ email }) => email.toLowerCase() === body.ownerEmail?.toLowerCase());
  const variables = Object.entries(body.variables ?? {});
  const values = partOf(data, 'variables');
  return (
    byKey &&
    matches('title', body.title) &&
    matches('scheduledDateLocal', body.scheduledDateLocal) &&
    matches('ownerUserId', owner?.id) &&
    variables.every(([key, value]) => (values as Record<string, unknown> | undefined)?.[key] === value)
  );
}
