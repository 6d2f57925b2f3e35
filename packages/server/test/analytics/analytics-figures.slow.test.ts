import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import * as fc from 'fast-check';
import { inTransaction } from '../../src/database/transaction.ts';
import { Organization } from '../../src/organization/entities/organization.ts';
import { arbitraryFilters, difference, newAnalyticsSetting } from '../support/figures/analytics-setting.ts';
import { addDays, matches, referenceAnalytics } from '../support/figures/reference-figures.ts';

const app = useApp(test);

const timeZones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

test('every figure equals a reference for random histories, time zones, periods, filters and resource scopes', async (t) => {
  const { org, members, viewers, names } = await newAnalyticsSetting(app, 11);
  const runs = viewers[0]?.runs ?? [];
  t.true(
    runs.some((run) => run.wasOverdue && run.status === 'COMPLETED'),
    'the histories are too calm',
  );
  t.true(runs.some((run) => run.archivedAt !== null && run.status !== 'RUNNING'));
  const arbitraryPeriod = fc
    .tuple(fc.integer({ min: 0, max: 320 }), fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 330 })))
    .map(([first, days]) => ({ from: addDays('2024-02-27', first), to: addDays('2024-02-27', first + days) }));
  for (const timeZone of timeZones) {
    await inTransaction(app.database, (em) => em.nativeUpdate(Organization, { id: org.organizationId }, { timeZone }));
    const request = fc
      .constantFrom(...viewers)
      .chain((viewer) =>
        fc.record({ viewer: fc.constant(viewer), period: arbitraryPeriod, filters: arbitraryFilters(viewer, members) }),
      );
    await fc.assert(
      fc.asyncProperty(request, async ({ viewer, period, filters }) => {
        const { api } = viewer;
        const seen = viewer.runs.filter((run) => matches(run, filters));
        const expected = referenceAnalytics(seen, { ...period, timeZone }, names);
        const body = { ...period, filters };
        const advanced = await must(api.call('analytics', 'advancedFiltered', { body }));
        t.is(difference(advanced, expected), null);
        const { byTemplate: _t, byOwner: _o, byAssignee: _a, bottlenecks: _b, stalled: _s, ...summary } = advanced;
        t.deepEqual(await must(api.call('analytics', 'filtered', { body })), summary);
      }),
      { numRuns: 25 },
    );
    const period = { from: '2024-01-01', to: '2024-12-31' };
    for (const { api, runs: seen, templateIds } of viewers) {
      const all = referenceAnalytics(seen, { ...period, timeZone }, names);
      t.is(difference(await must(api.call('analytics', 'advanced', { query: period })), all), null);
      const [templateId = ''] = templateIds;
      const one = referenceAnalytics(
        seen.filter((run) => run.templateId === templateId),
        { ...period, timeZone },
        names,
      );
      const { byTemplate: _t, byOwner: _o, byAssignee: _a, bottlenecks: _b, stalled: _s, ...summary } = one;
      t.is(
        difference(await must(api.call('analytics', 'summary', { query: { ...period, templateId } })), summary),
        null,
      );
    }
  }
});
