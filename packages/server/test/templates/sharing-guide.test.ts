import { readFileSync } from 'node:fs';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newFolder } from '../support/templates.ts';

const app = useSharedApp(test);

const guide = new URL('../../../../docs/guides/sharing.md', import.meta.url);

test('the example of the guide to sharing is what an import returns', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const folderId = await newFolder(app, org.organizationId);
  const task = { title: 'Check the bank details', assigneeId: org.ownerUserId };
  const { templateId } = await publishProcess(org.api, [task], { name: 'Supplier onboarding', folderId });
  const { token } = await must(org.api.call('templates.shares', 'create', { params: { templateId } }));
  const imported = await must(other.api.call('sharedTemplates', 'import', { params: { token } }));
  const [, example = ''] = /^```json\n([^]*?)^```$/m.exec(readFileSync(guide, 'utf8')) ?? [];
  t.deepEqual(imported.dropped, JSON.parse(example));
});
