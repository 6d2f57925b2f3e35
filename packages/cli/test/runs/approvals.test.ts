import { addMember, type TestMember } from '@runward/testing/members';
import { getRun, launchRun, must, publishProcess, type TaskSketch } from '@runward/testing/process';
import test from 'ava';
import { useServer, type Workplace } from '../support/service.ts';

const { newWorkplace } = useServer(test);

const amount = { key: 'amount', label: 'Amount', type: 'NUMBER', required: true } as const;

type Approval = TaskSketch['approval'];

/** A run with a task that needs an approval, and one that depends on it. */
async function payment({ org }: Workplace, approval: Approval, fields: TaskSketch['fields'] = [amount]) {
  const { api } = org;
  const tasks = [{ title: 'Pay', approval, fields }, { title: 'File it' }];
  const { templateId, taskIds } = await publishProcess(api, tasks);
  const params = { id: templateId, taskId: taskIds['File it'] ?? '' };
  const body = { taskIds: [taskIds['Pay'] ?? ''] };
  await must(api.call('templates.dependencies', 'set', { params, body }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId);
  const [pay, file] = [run.byTitle('Pay').runTaskId, run.byTitle('File it').runTaskId];
  return { id: run.id, pay, file, task: async () => (await getRun(api, run.id)).byTitle('Pay') };
}

const grace = async ({ org, baseUrl }: Workplace) => addMember(baseUrl, await org.session());

const reject = ({ session }: TestMember, taskId: string, comment: string) =>
  must(session.call('runs.tasks', 'reject', { params: { taskId }, body: { comment } }));

test('tasks approve and tasks reject take a run and the title of a task, decide on it, and print it', async (t) => {
  const work = await newWorkplace();
  const [ada, joan] = [await grace(work), await grace(work)];
  const approverIds = [work.org.ownerUserId, joan.id];
  const { id, pay, task } = await payment(work, { approverIds, policy: 'ALL' }, []);
  const nothing = await work.runward(['tasks', 'approve', id, 'Pay']);
  t.is(nothing.code, 6);
  t.regex(nothing.stderr, /The approval of the task "Pay" is NOT_REQUESTED/);

  const open = () => must(ada.session.call('execution', 'open', { body: { runTaskId: pay } }));
  const entry = await open();
  t.is((await work.runward(['tasks', 'reject', id, 'pay'])).code, 2);
  t.like(await work.data(['tasks', 'reject', id, 'pay', '--comment', 'No invoice']), {
    runTaskId: pay,
    status: 'PENDING',
    approval: { status: 'REJECTED', decisions: [{ comment: 'No invoice' }] },
  });

  await must(ada.session.call('execution', 'discard', { params: { id: entry.id } }));
  await open();
  const first = await work.runward(['tasks', 'approve', id, 'Pay', '--comment', 'Fine']);
  t.is(first.code, 0);
  t.like(JSON.parse(first.stdout), { status: 'PENDING_APPROVAL', approval: { decisions: [{ comment: 'Fine' }] } });
  t.is(
    first.stderr,
    `"Pay" is waiting for approval of ${work.org.ownerEmail} and ${joan.email}. Approved so far by: ${work.org.ownerEmail}.\n`,
  );
  await must(joan.session.call('runs.tasks', 'approve', { params: { taskId: pay } }));
  t.like(await task(), { status: 'PENDING', approval: { status: 'GRANTED' } });

  t.is((await work.runward(['tasks', 'approve', id, 'Play'])).code, 3);
});

test('runs approve and runs reject still work with a runTaskId, and help leaves them out', async (t) => {
  const work = await newWorkplace();
  const { pay } = await payment(work, { approverIds: [work.org.ownerUserId] }, []);
  const ada = await grace(work);
  await must(ada.session.call('execution', 'open', { body: { runTaskId: pay } }));
  t.like(await work.data(['runs', 'reject', pay, '--comment', 'No']), { approval: { status: 'REJECTED' } });
  t.is((await work.runward(['runs', 'approve', 'Pay'])).code, 2);
  t.is((await work.runward(['runs', 'approve', work.org.ownerUserId])).code, 3);
  const { stdout } = await work.runward(['runs', '--help']);
  t.notRegex(stdout, /^ +(approve|reject) /m);
  t.regex((await work.runward(['tasks', '--help'])).stdout, /^ +approve .*\n +reject /m);
});

test('tasks approve of somebody who is not an approver is not allowed', async (t) => {
  const work = await newWorkplace();
  const ada = await grace(work);
  const { id } = await payment(work, { approverIds: [ada.id] });
  await work.runward(['tasks', 'complete', id, 'Pay', '--value', 'amount=1']);
  const refused = await work.runward(['tasks', 'approve', id, 'Pay']);
  t.is(refused.code, 4);
  t.regex(refused.stderr, /You are not an approver of the task "Pay"/);
});

test('tasks complete names the approvers, shows the comment of a rejection, and completes what is approved', async (t) => {
  const work = await newWorkplace();
  const ada = await grace(work);
  const session = await work.org.session();
  const group = await must(session.call('groups', 'create', { body: { name: 'Finance' } }));
  const approval = { approverIds: [ada.id], approverGroupIds: [group.id] };
  const { id, pay, task } = await payment(work, approval);
  const complete = (...args: string[]) => work.runward(['tasks', 'complete', id, 'Pay', ...args]);

  const waiting = `Error: "Pay" is waiting for approval of ${ada.email} or the group Finance.\n`;
  const submitted = await complete('--value', 'amount=100');
  t.deepEqual([submitted.code, submitted.stdout, submitted.stderr], [6, '', waiting]);
  t.is((await task()).status, 'PENDING_APPROVAL');
  for (const args of [[], ['--direct'], ['--value', 'amount=110']]) {
    const again = await complete(...args);
    t.deepEqual([again.code, again.stderr], [6, waiting], args.join(' '));
  }

  await reject(ada, pay, 'Too much');
  const rejection = `Error: "Pay" was rejected by ${ada.email}: Too much\n`;
  const [unchanged, direct] = [await complete(), await complete('--direct')];
  t.deepEqual([unchanged.code, direct.code], [6, 6]);
  t.is(
    unchanged.stderr,
    `${rejection}  Correct its form with --value, or on a terminal; that requests the approval again.\n`,
  );
  t.is(direct.stderr, `${rejection}  Correct its form without --direct; that requests the approval again.\n`);
  t.is((await task()).approval?.status, 'REJECTED');

  // The same value asks again.
  t.is((await complete('--value', 'amount=110')).stderr, waiting);
  await must(ada.session.call('runs.tasks', 'approve', { params: { taskId: pay } }));
  const done = await complete();
  t.is(done.code, 0, done.stderr);
  t.like(JSON.parse(done.stdout), { status: 'COMPLETED' });
});

test('tasks complete gives ids if the API key cannot read members, and a way out of a rejected form without fields', async (t) => {
  const work = await newWorkplace();
  const ada = await grace(work);
  const { id, pay } = await payment(work, { approverIds: [ada.id] }, []);
  const env = { RUNWARD_API_KEY: await work.newKey(['runs:read', 'runs:write', 'templates:read']) };
  const complete = () => work.runward(['tasks', 'complete', id, 'Pay'], { env });
  t.is((await complete()).stderr, `Error: "Pay" is waiting for approval of ${ada.id}.\n`);

  await reject(ada, pay, 'Not yet');
  const rejected = await complete();
  const [, command = ''] = /again: runward (.*)\n/.exec(rejected.stderr) ?? [];
  t.regex(command, /^execution discard /);
  t.is((await work.runward(command.split(' '))).code, 0, rejected.stderr);
  t.regex((await complete()).stderr, /is waiting for approval/);
});

test('an approval that names nobody waits for anyone else', async (t) => {
  const work = await newWorkplace();
  const { id } = await payment(work, {});
  const { stderr } = await work.runward(['tasks', 'complete', id, 'Pay', '--value', 'amount=1']);
  t.regex(stderr, /waiting for approval of anyone who may change runs and did not fill in its form\./);
});

test('tasks unblock lets a task be completed before the tasks that it depends on', async (t) => {
  const work = await newWorkplace();
  const { id, pay, file } = await payment(work, {});
  t.is((await work.runward(['tasks', 'complete', id, 'File it'])).code, 6);
  t.like(await work.data(['tasks', 'unblock', file]), { runTaskId: file, status: 'PENDING' });
  t.like(await work.data(['tasks', 'complete', id, 'File it']), { status: 'COMPLETED' });

  const open = await work.runward(['tasks', 'unblock', pay]);
  t.is(open.code, 6);
  t.is((await work.runward(['tasks', 'unblock', 'File it'])).code, 2);
});
