import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { countStatements } from '../../support/database/statements.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useApp(test);

test('launches of large templates are saved in parts that hold few of their documents', async (t) => {
  const { api } = await newOrganization(app);
  const fields = Array.from({ length: 100 }, (_, index) => ({
    label: `Field ${index}`,
    type: 'TEXT' as const,
    helpText: 'x'.repeat(2_000),
  }));
  const runs: { templateId: string }[] = [];
  for (let index = 0; index < 13; index += 1) {
    const tasks = ['A', 'B', 'C', 'D'].map((title) => ({ title, fields }));
    runs.push({ templateId: await publishDraft(api, tasks) });
  }

  const counted = countStatements('insert into runs ');
  const { created } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));

  t.is(counted.stop(), 2);
  t.is(created, 13);
});
