import { addMember, type TestMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver, type TestReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import type { SharedApp } from '@runward/testing/use-shared-app';

/**
 * Records of an organization that command lines name by placeholders. Each call makes a new record, in the state that
 * the line needs.
 */
export interface Records extends AsyncDisposable {
  /** The template of the examples. */
  readonly templateId: string;
  /** The file field of its first task. */
  readonly fileFieldId: string;
  runFor(line: string): Promise<string>;
  taskFor(line: string): Promise<string>;
  /** A task with a form of one field, and this field. */
  form(): Promise<{ runTaskId: string; runTaskFieldId: string }>;
  openEntry(): Promise<string>;
  /** A webhook and a delivery of it. */
  delivery(): Promise<{ webhookId: string; deliveryId: string }>;
  shareToken(): Promise<string>;
  /** The data source with this name, and its newest row. It gets a row if it has none. */
  dataSource(name: string): Promise<{ id: string; rowId: string }>;
  receiver(): Promise<TestReceiver>;
  colleague(): Promise<TestMember>;
  group(): Promise<string>;
}

/** The records of an organization that has the template of the examples. */
export async function recordsOf(org: TestOrganization, app: SharedApp): Promise<Records> {
  const { api } = org;
  const stack = new AsyncDisposableStack();
  const { data: templates } = await must(api.call('templates', 'list'));
  const templateId = templates.find(({ name }) => name === 'Employee onboarding')?.id ?? '';
  const { data: fields } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const signing = once(() => publishProcess(api, [{ title: 'File the signed contract' }], { name: 'Signing' }));
  const reading = once(() => publishProcess(api, [{ title: 'Read', required: false }], { name: 'Reading' }));
  const buying = once(() => publishProcess(api, [{ title: 'Order a laptop', approval: {} }], { name: 'Buying' }));
  const beginning = once(() =>
    publishProcess(api, [{ title: 'Begin', fields: [{ key: 'on', label: 'On', type: 'DATE' }] }], {
      name: 'Beginning',
    }),
  );
  const receiver = once(async () => stack.use(await startReceiver()));
  const colleague = once(async () => addMember(app.baseUrl, await org.session()));
  const complete = async (taskId: string) =>
    must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));

  async function runToApprove() {
    const run = await launchRun(api, (await buying()).templateId);
    const { runTaskId } = run.byTitle('Order a laptop');
    // The member who opens the form cannot decide on it.
    await must((await colleague()).session.call('execution', 'open', { body: { runTaskId } }));
    return run;
  }

  async function runFor(line: string): Promise<string> {
    if (/runs (?:watch|wait|reopen|archive|unarchive|complete RUN -o)|runIds/.test(line)) {
      const run = await launchRun(api, (await signing()).templateId);
      const isOpen = line.includes('runs complete');
      if (!isOpen) await complete(run.byTitle('File the signed contract').runTaskId);
      return run.id;
    }
    if (/tasks (?:approve|reject)/.test(line)) return (await runToApprove()).id;
    if (/runs complete/.test(line)) return (await launchRun(api, (await reading()).templateId)).id;
    const run = await launchRun(api, templateId, { scheduledDateLocal: '2027-01-04' });
    const [, title] = /tasks (?:reopen|wait) RUN "([^"]+)"/.exec(line) ?? [];
    const task = title === undefined ? undefined : run.tasks.find((each) => each.title.startsWith(title));
    if (task?.status === 'BLOCKED') {
      await must(api.call('runs.tasks', 'forceUnblock', { params: { taskId: task.runTaskId } }));
    }
    if (task) await complete(task.runTaskId);
    return run.id;
  }

  return {
    templateId,
    fileFieldId: fields.find(({ key }) => key === 'contract_document')?.runTaskFieldId ?? '',
    runFor,
    taskFor: async (line) => {
      const run = await launchRun(api, templateId);
      return run.byTitle(line.includes('unblock') ? 'Hand over the laptop' : 'Name a buddy').runTaskId;
    },
    form: async () => {
      const { templateId: id, fields: made } = await beginning();
      return {
        runTaskId: (await launchRun(api, id)).byTitle('Begin').runTaskId,
        runTaskFieldId: made['on']?.id ?? '',
      };
    },
    openEntry: async () => {
      const { runTaskId } = (await launchRun(api, templateId)).byTitle('File the signed contract');
      return (await must(api.call('execution', 'open', { body: { runTaskId } }))).id;
    },
    delivery: async () => {
      const { url } = await receiver();
      const body = { name: 'Log', url, enabledEvents: ['run.started' as const] };
      const { id: webhookId } = await must(api.call('webhooks', 'create', { body }));
      await launchRun(api, templateId);
      const delivery = await until(async () => {
        const { data } = await must(api.call('webhooks', 'webhookDeliveries', { params: { id: webhookId } }));
        return data[0]?.status === 'PENDING' ? undefined : data[0];
      }, 'a delivery');
      return { webhookId, deliveryId: delivery.id };
    },
    shareToken: async () => {
      const other = await newOrganization(app);
      const { templateId: id } = await publishProcess(other.api, undefined, { name: 'Of a partner' });
      return (await must(other.api.call('templates.shares', 'create', { params: { templateId: id } }))).token;
    },
    dataSource: async (name) => {
      const { data } = await must(api.call('dataSources', 'list'));
      const id = data.find((each) => each.name === name)?.id ?? '';
      const { data: rows } = await must(api.call('dataSources.rows', 'list', { params: { id } }));
      const [row] = rows;
      const { id: rowId } =
        row ?? (await must(api.call('dataSources.rows', 'create', { params: { id }, body: { cells: {} } })));
      return { id, rowId };
    },
    receiver,
    colleague,
    group: once(() => app.provision.group(org.organizationId)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A function that makes something at the first call, and returns the same thing afterwards. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}
