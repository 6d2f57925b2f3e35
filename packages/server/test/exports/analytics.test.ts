import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { newAnalyticsSetting } from '../support/figures/analytics-setting.ts';

const app = useApp(test);

const period = { from: '2024-02-01', to: '2024-12-31' };

/** The lines that a value has in the table: one per number, text or null in it. */
function linesOf(section: string, name: string, value: unknown, metric = ''): string[][] {
  if (typeof value !== 'object' || value === null)
    return [[section, name, metric, value === null ? '' : `${value as string | number}`]];
  return Object.entries(value).flatMap(([key, part]) =>
    linesOf(section, name, part, metric === '' ? key : `${metric}.${key}`),
  );
}

test('an export has every figure of the advanced analytics, of the templates of the key alone', async (t) => {
  const { viewers } = await newAnalyticsSetting(app, 13, 25);
  for (const { api } of viewers) {
    const { range, perDay, previous, byTemplate, byOwner, byAssignee, bottlenecks, stalled, ...summary } = await must(
      api.call('analytics', 'advanced', { query: period }),
    );
    const named = <Item extends object>(section: string, items: readonly Item[], key: keyof Item & string) =>
      items.flatMap(({ [key]: name, ...rest }) => linesOf(section, String(name).replace(/^=/, "'="), rest));
    const expected = [
      ...linesOf('range', '', range),
      ...linesOf('summary', '', summary),
      ...linesOf('previous', '', previous),
      ...named('perDay', perDay, 'date'),
      ...named('byTemplate', byTemplate, 'name'),
      ...named('byOwner', byOwner, 'name'),
      ...named('byAssignee', byAssignee, 'name'),
      ...named('bottlenecks', bottlenecks, 'title'),
      ...named('stalled', stalled, 'title'),
    ];
    const { headers, body } = await api.raw(
      'GET',
      `/runs/analytics/export/csv?${new URLSearchParams(period).toString()}`,
    );
    t.is(headers.get('content-type'), 'text/csv; charset=utf-8');
    t.is(headers.get('content-disposition'), 'attachment; filename="analytics-2024-02-01-2024-12-31.csv"');
    const text = String(body);
    t.true(text.endsWith('\r\n'));
    t.deepEqual(parse(text), [['section', 'name', 'metric', 'value'], ...expected]);
  }
});
