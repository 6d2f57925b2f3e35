import { readFileSync } from 'node:fs';
import { contract, maximumFindings, maximumGroups, maximumYears } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

const guide = readFileSync(new URL('../../../../docs/guides/analytics.md', import.meta.url), 'utf8');

test('the guide to analytics defines every figure, names the limits, and its example of a request is accepted', async (t) => {
  const { range: _, ...figures } = contract.analytics.advanced.response.shape;
  for (const name of Object.keys(figures)) t.true(guide.includes(`\`${name}\``), name);
  for (const limit of [maximumGroups, maximumFindings, maximumYears]) t.true(guide.includes(String(limit)));
  const [, example = ''] = /^```json\n([^]*?)^```$/m.exec(guide) ?? [];
  const { api } = await newOrganization(app);
  t.is((await api.call('analytics', 'filtered', { body: JSON.parse(example) })).status, 200);
});
