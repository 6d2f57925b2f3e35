import { Client } from 'pg';

/**
 * Keeps every statement that the process sends to PostgreSQL from now on, each once; literals are left out of the
 * comparison.
 */
export function recordStatements(): { readonly texts: () => string[]; stop(): void } {
  const texts = new Map<string, string>();
  const { query } = Client.prototype;
  Client.prototype.query = function record(this: Client, ...args: Parameters<typeof query>) {
    const text = textOf(args);
    texts.set(text.replaceAll(/'[^']*'|\b\d+\b/g, '?'), text);
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return {
    texts: () => [...texts.values()].filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text)),
    stop: () => {
      Client.prototype.query = query;
    },
  };
}

function textOf(args: readonly unknown[]): string {
  const [first] = args as [string | { text: string }];
  return typeof first === 'string' ? first : first.text;
}

/**
 * Counts the statements that the process sends to PostgreSQL from now on, and that contain a text; stopping returns
 * their number.
 */
export function countStatements(containing = ''): { stop(): number } {
  const { query } = Client.prototype;
  let count = 0;
  Client.prototype.query = function counted(this: Client, ...args: Parameters<typeof query>) {
    if (textOf(args).includes(containing)) count += 1;
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return {
    stop: () => {
      Client.prototype.query = query;
      return count;
    },
  };
}

const byIndex = ['Index Cond', 'Recheck Cond', 'TID Cond'] as const;
const onRows = [...byIndex, 'Filter'] as const;
const onJoins = ['Join Filter', 'Hash Cond', 'Merge Cond'] as const;
type Condition = (typeof onRows)[number] | (typeof onJoins)[number];

/** A node of a query plan in JSON. */
interface PlanNode extends Readonly<Partial<Record<Condition, string>>> {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
}

/** A table that a statement reads, and the conditions on it. */
export interface Scan {
  readonly table: string;
  readonly alias: string;
  readonly conditions: string;
  /** The conditions by which an index finds the rows. */
  readonly found: string;
}

/**
 * The scans in the generic plan of a statement. The planner has combined equal columns, so that a join on a column is a
 * condition on it.
 */
export async function scansOf(client: Client, text: string): Promise<Scan[]> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare recorded as ${text}`);
  try {
    const values = Array.from({ length: parameters }, () => 'null');
    const execute = `execute recorded${parameters > 0 ? ` (${values.join(', ')})` : ''}`;
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (verbose, format json) ${execute}`,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scansIn(Plan, '')));
  } finally {
    await client.query('deallocate recorded');
  }
}

function scansIn(node: PlanNode, joins: string): Scan[] {
  const read = (conditions: readonly Condition[]) => conditions.map((each) => node[each] ?? '').join(' ');
  const { 'Relation Name': table, Alias: alias = '' } = node;
  const own = `${joins} ${read(onJoins)}`;
  const isScan = table !== undefined && node['Node Type'] !== 'ModifyTable';
  return [
    ...(isScan ? [{ table, alias, conditions: `${own} ${read(onRows)}`, found: read(byIndex) }] : []),
    ...(node.Plans ?? []).flatMap((child) => scansIn(child, own)),
  ];
}
