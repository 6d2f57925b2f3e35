import { newOrganization } from '@runward/testing/organization';
import { publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { connectStdio } from './support/connect.ts';

const app = useSharedApp(test);

const common = [
  'find_templates',
  'describe_template',
  'launch_run',
  'find_runs',
  'get_run',
  'list_my_tasks',
  'list_tasks',
  'read_form',
  'submit_form',
  'decide_approval',
  'list_comments',
  'add_comment',
  'explain_run',
  'run_activity',
  'summarize_runs',
];

test('a model launches a run, fills in its forms, and reads what happened', async (t) => {
  const org = await newOrganization(app);
  await publishProcess(
    org.api,
    [
      {
        title: 'Sign',
        description: 'Ask for the contract.',
        fields: [
          { label: 'Department', type: 'DROPDOWN', required: true, options: [{ key: 'rd', label: 'Research' }] },
          { label: 'Days', type: 'NUMBER' },
          { label: 'Mentor', type: 'USER' },
        ],
      },
    ],
    { name: 'Onboarding' },
    [{ key: 'level', type: 'NUMBER', defaultValue: 1 }],
  );
  const mcp = await connectStdio(t, { RUNWARD_API_KEY: org.apiKey, RUNWARD_BASE_URL: app.baseUrl });
  t.deepEqual(await mcp.names(), common);

  t.regex(
    await mcp.text('find_templates', { name: 'onboard' }),
    /^1 template\.\n\ntemplates:\n- id: \S+; name: Onboarding; status: PUBLISHED$/,
  );
  const described = await mcp.text('describe_template', { template: 'onboarding' });
  t.regex(described, /key: level; type: NUMBER; defaultValue: 1/);
  t.regex(
    described,
    /key: department; label: Department; type: DROPDOWN; required: true; takes: one of the options; options: rd \(Research\)/,
  );

  const launched = await mcp.data<{
    runId: string;
    publicId: string;
    openTasks: { runTaskId: string; title: string }[];
  }>('launch_run', { template: 'Onboarding', title: 'Ada', variables: { level: 3 } });
  const { runId, publicId } = launched;
  t.deepEqual(
    launched.openTasks.map(({ title }) => title),
    ['Sign'],
  );
  t.regex(
    await mcp.text('find_runs', { title: 'ad', template: 'Onboarding', statuses: ['RUNNING'] }),
    new RegExp(publicId),
  );
  for (const run of [runId, publicId, publicId.toLowerCase(), 'ada']) {
    t.regex(await mcp.text('get_run', { run }), /0 of 1 tasks completed/);
  }
  t.regex(await mcp.text('explain_run', { run: publicId }), /cannot be completed now/);

  t.regex(await mcp.text('list_tasks'), /^1 task\./);
  t.is(await mcp.text('list_tasks', { assignee: 'me' }), 'No task fits.');
  t.regex(
    await mcp.text('read_form', { run: publicId, task: 'sign' }),
    /instructions: Ask for the contract\.[^]*key: days; label: Days/,
  );
  const runTaskId = launched.openTasks[0]?.runTaskId ?? '';
  t.regex(
    await mcp.failure('submit_form', { task: runTaskId, values: { department: 'Sales' } }),
    /^values\.department: .*must be one of/,
  );
  t.regex(
    await mcp.failure('submit_form', { task: runTaskId, values: { salary: 1 } }),
    /^No field of "Sign" is named "salary"\..*"department", "days", "mentor"/,
  );
  t.regex(await mcp.failure('submit_form', { task: runTaskId }), /Department/);
  t.regex(
    await mcp.text('submit_form', { task: runTaskId, values: { days: '30', Mentor: org.ownerEmail }, complete: false }),
    /^Saved "Sign" of RUN-\w+ "Ada" \(RUNNING\); the task is PENDING\./,
  );
  t.regex(
    await mcp.text('submit_form', { task: runTaskId, values: { Department: 'research' } }),
    /^Completed "Sign" of RUN-\w+ "Ada" \(COMPLETED\)/,
  );
  t.regex(await mcp.text('read_form', { task: runTaskId }), /takes: a number; value: 30\n/);
  t.regex(
    await mcp.text('run_activity', { run: 'Ada', limit: 2 }),
    /2 of \d+ lines\. For more.*\n\nactivity:\n- at: \S+; type: run\.completed; by: /i,
  );
  t.regex(
    await mcp.text('run_activity', { run: 'Ada' }),
    /type: value\.submitted; task: Sign; field: Department; by: Owner/,
  );
  t.like(await mcp.data('summarize_runs', { template: 'Onboarding' }), { total: 1, byStatus: { COMPLETED: 1 } });
});

test('a key sees and calls the tools of its scopes only, and none when it is revoked', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Onboarding' });
  const session = await org.session();
  const body = { name: 'Reader', scopes: ['runs:read' as const] };
  const { body: made } = await session.call('apiKeys', 'create', { body });
  const env = { RUNWARD_API_KEY: made.plainKey, RUNWARD_BASE_URL: app.baseUrl };
  const mcp = await connectStdio(t, env, ['--groups', 'runs']);
  const names = await mcp.names();
  t.deepEqual(
    names.filter((name) => common.includes(name)),
    [
      'find_runs',
      'get_run',
      'list_my_tasks',
      'list_tasks',
      'read_form',
      'list_comments',
      'explain_run',
      'run_activity',
      'summarize_runs',
    ],
  );
  t.true(names.includes('runs_tasks_list'));
  t.false(names.includes('runs_cancel'));
  t.regex(await mcp.failure('launch_run', { template: templateId }), /lacks the scope runs:execute/);
  t.regex(await mcp.failure('runs_cancel', { id: templateId }), /lacks the scope runs:write/);
  t.regex(
    await mcp.failure('find_runs', { template: 'Onboarding' }),
    /lacks the scope templates:read.*id of the template/,
  );
  t.is(await mcp.text('find_runs', { template: templateId }), 'No run fits.');

  await session.call('apiKeys', 'revoke', { params: { id: made.id } });
  t.regex(await mcp.failure('find_runs'), /API key is malformed, unknown, revoked or expired/);
});
