import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { queriedPopulation } from '../analytics/analytics.ts';
import { analyze } from '../analytics/analyze.ts';
import { csvOf, type Column } from '../csv.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import { analyticsPdf } from './analytics-pdf.ts';

type Analytics = Response<Contract['analytics']['advanced']>;

/** One figure: the section of the analytics, its subject, its name, and its value. */
type Line = readonly [section: string, name: string, metric: string, value: string | number | null];

const columns: readonly Column<Line>[] = [
  { header: 'section', value: ([section]) => section },
  { header: 'name', value: ([, name]) => name },
  { header: 'metric', value: ([, , metric]) => metric },
  { header: 'value', value: ([, , , value]) => value },
];

/** Exports of analytics (spec: Runs, other operations). */
export const analyticsExports: Handlers<Parts['analyticsExports']> = {
  exportCsv: async ({ query, ...context }) => {
    const population = await queriedPopulation(context, query);
    const { from, to } = population.range;
    return {
      contentType: 'text/csv',
      fileName: `analytics-${from}-${to}.csv`,
      content: () =>
        csvOf(
          columns,
          sections(() => inSnapshot(context.em, (db) => analyze(db, population))),
        ),
    };
  },

  exportPdf: async ({ query, ...context }) => {
    const population = await queriedPopulation(context, query);
    const { from, to } = population.range;
    return {
      contentType: 'application/pdf',
      fileName: `analytics-${from}-${to}.pdf`,
      content: (signal) => analyticsPdf(context, population, query.templateId, signal),
    };
  },
};

/** A batch of lines per section. */
async function* sections(read: () => Promise<Analytics>): AsyncGenerator<readonly Line[]> {
  const { range, perDay, previous, byTemplate, byOwner, byAssignee, bottlenecks, stalled, ...summary } = await read();
  yield linesOf('range', '', range);
  yield linesOf('summary', '', summary);
  yield linesOf('previous', '', previous);
  yield perDay.flatMap(({ date, ...numbers }) => linesOf('perDay', date, numbers));
  yield byTemplate.flatMap(({ name, ...figures }) => linesOf('byTemplate', name, figures));
  yield byOwner.flatMap(({ name, ...figures }) => linesOf('byOwner', name, figures));
  yield byAssignee.flatMap(({ name, ...figures }) => linesOf('byAssignee', name, figures));
  yield bottlenecks.flatMap(({ title, ...figures }) => linesOf('bottlenecks', title, figures));
  yield stalled.flatMap(({ title, ...run }) => linesOf('stalled', title, run));
}

/** One line per figure. Nested figures have names like `cycleTimeSeconds.median`. */
function linesOf(section: string, name: string, figures: object, prefix = ''): Line[] {
  return Object.entries(figures).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? linesOf(section, name, value, `${prefix}${key}.`)
      : [[section, name, prefix + key, value as string | number | null] as const],
  );
}
