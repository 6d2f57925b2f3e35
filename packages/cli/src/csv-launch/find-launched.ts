import { setTimeout as pause } from 'node:timers/promises';
import type { Contract, Response } from '@runward/contract';
import { isPermissionError, type Client } from '@runward/sdk';
import type { Target } from '../launch/target.ts';
import { partOf } from '../output/cells.ts';
import type { Intent } from './journal.ts';
import { contentOf } from './rows.ts';

/** A run as lists answer it. */
export type RunLine = Response<Contract['runs']['list']>['data'][number];

/** What became of a launch whose answer was lost. */
export type Finding =
  | { readonly kind: 'launched'; readonly run: RunLine }
  | { readonly kind: 'not launched' }
  | { readonly kind: 'unclear'; readonly reason: string; readonly candidates: readonly RunLine[] };

const atOnce = 8;
// Clocks of servers behind one address may differ by so much.
const skewMs = 60_000;

/**
 * Finds out what became of launches whose answers were lost. A run is recognised by the first line of its activity log, which
 * keeps what it was launched with even when it was renamed since. A request that was under way may take effect for another
 * `settleMs`, so "not launched" is said only after that.
 */
export async function findLaunched(
  client: Client,
  target: Target,
  intents: readonly Intent[],
  options: { readonly known: ReadonlySet<string>; readonly settleMs: number },
): Promise<Map<string, Finding>> {
  try {
    const findings = await look(client, target, intents, options.known);
    const open = intents.filter(({ row }) => findings.get(row)?.kind === 'not launched');
    const waitMs = Math.max(0, ...open.map(({ at }) => options.settleMs - Math.max(0, Date.now() - Date.parse(at))));
    if (waitMs === 0) return findings;
    await pause(Math.min(waitMs, options.settleMs));
    return await look(client, target, intents, options.known);
  } catch (error) {
    if (!isPermissionError(error)) throw error;
    const reason = 'the key may not read runs';
    return new Map(intents.map(({ row }) => [row, { kind: 'unclear', reason, candidates: [] }]));
  }
}

async function look(
  client: Client,
  target: Target,
  intents: readonly Intent[],
  known: ReadonlySet<string>,
): Promise<Map<string, Finding>> {
  const since = Math.min(...intents.map((intent) => Date.parse(intent.since))) - skewMs;
  const candidates = (await runsSince(client, target.templateId, since)).filter(({ id }) => !known.has(id));
  const launches: Launch[] = [];
  for (let start = 0; start < candidates.length; start += atOnce) {
    launches.push(
      ...(await Promise.all(candidates.slice(start, start + atOnce).map((run) => readLaunch(client, run)))),
    );
  }
  const groups = Map.groupBy(intents, ({ body }) => contentOf(body));

  const findings = new Map<string, Finding>();
  const claims = new Map<RunLine, number>();
  const matching = [...groups].map(([, rows]) => {
    const matches = launches.filter((launch) => rows[0] && fits(launch, rows[0], target)).map(({ run }) => run);
    for (const run of matches) claims.set(run, (claims.get(run) ?? 0) + 1);
    return { rows, matches };
  });
  for (const { rows, matches } of matching) {
    const contested = matches.length > rows.length || matches.some((run) => (claims.get(run) ?? 0) > 1);
    for (const [index, { row }] of rows.entries()) {
      const run = matches[index];
      if (contested) {
        const reason = 'more runs look like it than rows can have made';
        findings.set(row, { kind: 'unclear', reason, candidates: matches });
      } else findings.set(row, run ? { kind: 'launched', run } : { kind: 'not launched' });
    }
  }
  return findings;
}

async function runsSince({ runs }: Client, templateId: string, since: number): Promise<RunLine[]> {
  const found: RunLine[] = [];
  for (const archived of [false, true]) {
    for await (const run of runs.list({ templateId, archived })) {
      if (Date.parse(run.createdAt) < since) break;
      found.push(run);
    }
  }
  return found;
}

interface Launch {
  readonly run: RunLine;
  readonly byKey: boolean;
  readonly data: unknown;
}

async function readLaunch({ runs }: Client, run: RunLine): Promise<Launch> {
  for await (const { type, actor, data } of runs.activity(run.id)) {
    if (type === 'run.started') return { run, byKey: actor.type === 'API_KEY', data };
  }
  return { run, byKey: true, data: null };
}

/** Whether a run can be what a row launched: made with a key, and with everything the row said. */
function fits({ byKey, data }: Launch, { body }: Intent, { members }: Target): boolean {
  const said = (name: string, value: unknown) => value === undefined || partOf(data, name) === value;
  const owner = members?.find(({ email }) => email.toLowerCase() === body.ownerEmail?.toLowerCase());
  const variables = Object.entries(body.variables ?? {});
  const values = partOf(data, 'variables');
  return (
    byKey &&
    said('title', body.title) &&
    said('scheduledDateLocal', body.scheduledDateLocal) &&
    said('ownerUserId', owner?.id) &&
    variables.every(([key, value]) => (values as Record<string, unknown> | undefined)?.[key] === value)
  );
}
