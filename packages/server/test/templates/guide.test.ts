import { readFileSync } from 'node:fs';
import type { BodyInput, Contract } from '@runward/contract';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

const guide = new URL('../../../../docs/guides/templates.md', import.meta.url);

/** The draft of the example in the guide. */
function exampleDraft(): BodyInput<Contract['templates.draft']['replace']> {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```json\n([^]*?)^```$/gm)];
  return JSON.parse(blocks.find(([, text = '']) => text.includes('"phases"'))?.[1] ?? '');
}

test('the example of the guide to templates does what the guide says', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { tasks, variables } = exampleDraft();
  const templateId = await publishDraft(api, tasks, variables);
  const { data: fields } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const [country, customs] = fields.map(({ runTaskFieldId }) => runTaskFieldId);
  const { id } = await launchRun(api, templateId);
  const run = async () => {
    const { byTitle, variables } = await getRun(api, id);
    const [form, clearance, contract] = [
      byTitle('Register the supplier'),
      byTitle('Arrange customs clearance'),
      byTitle('Sign the contract'),
    ];
    return { form, clearance, contract, review: byTitle('Review the supplier'), variables };
  };
  const launched = await run();
  t.deepEqual(launched.form.hiddenFieldIds, [customs ?? '']);
  t.true(launched.clearance.hidden);
  t.deepEqual(launched.contract.blockedBy, [launched.review.runTaskId]);

  const entry = await must(api.call('execution', 'open', { body: { runTaskId: launched.form.runTaskId } }));
  const submit = (value: string) =>
    must(
      api.call('execution', 'submit', {
        body: { executionEntryId: entry.id, runTaskFieldId: country ?? '', value },
      }),
    );
  await submit('norway');
  const outside = await run();
  t.deepEqual(outside.form.hiddenFieldIds, []);
  t.false(outside.clearance.hidden);
  t.is(outside.contract.blockedBy.length, 2);
  t.is(outside.variables['region'], 'Europe outside the EU');

  await submit('Sweden');
  t.deepEqual(await run(), launched);

  const taskId = launched.review.runTaskId;
  const review = await must(api.call('execution', 'open', { body: { runTaskId: taskId } }));
  t.is((await run()).review.status, 'PENDING_APPROVAL');
  const complete = { body: { executionEntryId: review.id } };
  t.is((await api.call('execution', 'complete', complete)).status, 400);
  t.is((await api.call('runs.tasks', 'approve', { params: { taskId } })).status, 403);
  const { session } = await addMember(app.baseUrl, await org.session());
  await must(session.call('runs.tasks', 'approve', { params: { taskId } }));
  await must(api.call('execution', 'complete', complete));
  const signing = (await run()).contract;
  t.is(signing.status, 'PENDING');
  t.not(signing.dueAt, null);
});
