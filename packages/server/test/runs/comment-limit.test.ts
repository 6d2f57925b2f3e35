import { maximumComments } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('a run takes a limited number of comments, and deleting one makes room', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  const comment = () => org.api.call('runs.comments', 'create', { params: { id }, body: { text: 'One more' } });
  const { id: commentId } = await must(comment());
  await app.provision.query(
    `insert into run_comments (organization_id, id, run_id, actor_type, text, user_ids, group_ids, created_at)
    select $1, gen_random_uuid(), $2, 'SYSTEM', 'One', '[]', '[]', now() from generate_series(2, $3)`,
    [org.organizationId, id, maximumComments],
  );
  const message = 'The run has 2,000 comments, which is the most; delete some, or comment on another run.';
  await isRejected(t, comment(), 400, message);
  await must(org.api.call('runs.comments', 'delete', { params: { commentId } }));
  t.is((await comment()).status, 201);
});
