import { reportGroupings, reportMetrics, runStatuses } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import test from 'ava';
import * as fc from 'fast-check';
import { bucketsOf } from '../../src/analytics/buckets.ts';
import { reportFigures, reportRange } from '../../src/analytics/report-figures.ts';
import { arbitraryFilters, difference, newAnalyticsSetting } from '../support/figures/analytics-setting.ts';
import { addDays, matches } from '../support/figures/reference-figures.ts';
import { referenceReport } from '../support/figures/reference-report.ts';

const app = useApp(test);

const isCount = (metric: string) => ['RUNS', 'COMPLETED_RUNS', 'OVERDUE_TASKS'].includes(metric);

test('every row of a report equals a reference for every metric, grouping, period, filter and resource scope', async (t) => {
  const { org, members, viewers, names } = await newAnalyticsSetting(app, 12, 40);
  const { organizationId } = org;
  const arbitraryReport = fc.constantFrom(...viewers).chain((viewer) =>
    fc.record({
      viewer: fc.constant(viewer),
      filters: arbitraryFilters(viewer, members),
      first: fc.integer({ min: 0, max: 300 }),
      days: fc.integer({ min: 0, max: 330 }),
      timeZone: fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe'),
      metric: fc.constantFrom(...reportMetrics),
      groupBy: fc.constantFrom(...reportGroupings),
    }),
  );
  await fc.assert(
    fc.asyncProperty(arbitraryReport, async ({ viewer, filters, first, days, timeZone, metric, groupBy }) => {
      const range = { from: addDays('2024-02-27', first), to: addDays('2024-02-27', first + days) };
      const scope = { organizationId, timeZone, resourceScope: viewer.resourceScope };
      const { rows } = await reportFigures(app.database.em.fork(), scope, { metric, filters, groupBy, range });

      const seen = viewer.runs.filter((run) => matches(run, filters));
      const expected = referenceReport(seen, { ...range, timeZone }, metric, groupBy);
      const nothing = isCount(metric) ? 0 : null;
      if (groupBy === 'TEMPLATE' || groupBy === 'OWNER') {
        const filled = [...expected].filter(([, value]) => metric !== 'OVERDUE_TASKS' || value !== 0);
        t.is(rows.length, filled.length);
        for (const [key, value] of filled) {
          const row = rows.find((each) => each.key === key);
          t.is(difference(row, { key, label: names.get(key), value }), null);
        }
        const values = rows.map(({ value }) => value ?? -1);
        t.deepEqual(
          values,
          values.toSorted((one, other) => other - one),
        );
        return;
      }
      const keys =
        groupBy === 'NONE'
          ? ['ALL']
          : groupBy === 'STATUS'
            ? runStatuses.filter((status) => filters.statuses?.includes(status) ?? true)
            : bucketsOf(range, groupBy, timeZone).keys;
      t.is(
        difference(
          rows.map(({ key, value }) => [key, value]),
          keys.map((key) => [key, expected.get(key) ?? nothing]),
        ),
        null,
      );
    }),
    { numRuns: 120 },
  );
});

test('the period of a report is what its filters say, by default the 30 days up to today', (t) => {
  const now = new Date('2026-03-31T23:30:00Z');
  t.deepEqual(reportRange({}, 'Europe/Berlin', now), { from: '2026-03-03', to: '2026-04-01' });
  t.deepEqual(reportRange({ createdTo: '2026-02-28' }, 'UTC', now), { from: '2026-01-30', to: '2026-02-28' });
  t.deepEqual(reportRange({ createdFrom: '2026-02-01' }, 'UTC', now), { from: '2026-02-01', to: '2026-03-31' });
});
