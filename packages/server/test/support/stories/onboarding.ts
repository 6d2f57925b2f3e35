import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, must, publishProcess } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** An organization that hires: its people, its template, and what the API says about its only run. */
export async function onboarding(app: SharedApp) {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const session = await org.session();
  const add = (name: string, role: 'ADMIN' | 'MEMBER' = 'MEMBER') => addMember(app.baseUrl, session, { name, role });
  const people = {
    operator: await add('Mary Jackson', 'ADMIN'),
    recruiter: await add('Ada Lovelace'),
    technician: await add('Grace Hopper'),
    payroll: await add('Katherine Johnson'),
  };
  const group = { name: 'IT support', memberIds: [people.technician.id] };
  const { id: assigneeGroupId } = await must(session.call('groups', 'create', { body: group }));
  const { templateId, taskIds, fields } = await publishProcess(
    org.api,
    [
      {
        title: 'Collect personal data',
        description: 'Ask the new colleague **by telephone**.',
        assigneeId: people.recruiter.id,
        fields: [
          { key: 'name', label: 'Full name', type: 'TEXT', required: true },
          { key: 'start', label: 'First day', type: 'DATE', required: true },
          { key: 'remote', label: 'Works from home', type: 'CHECKBOX' },
          { key: 'address', label: 'Address for the parcel', type: 'LONG_TEXT', required: true },
        ],
      },
      {
        title: 'Order the equipment',
        assigneeGroupId,
        repeatable: true,
        fields: [
          { key: 'item', label: 'Item', type: 'TEXT', required: true },
          { key: 'layout', label: 'Layout of the keyboard', type: 'TEXT' },
        ],
      },
      {
        title: 'Agree on the contract',
        assigneeId: people.payroll.id,
        approval: { approverIds: [people.operator.id] },
        fields: [
          { key: 'contract', label: 'Signed contract', type: 'FILE_UPLOAD', required: true },
          { key: 'salary', label: 'Salary per year', type: 'NUMBER', required: true },
        ],
      },
    ],
    { name: 'Onboarding', runTitlePattern: null },
    [{ key: 'team', name: 'Team', type: 'TEXT' }],
  );
  const at = (title: string) => ({ id: templateId, taskId: taskIds[title] ?? '' });
  const showIf = async (title: string, field: string, value: string | boolean, shown: string) => {
    const idOf = (key: string) => fields[key]?.id ?? '';
    const source = { type: 'FIELD', fieldId: idOf(field) } as const;
    const body = {
      conditions: [{ source, operator: 'EQUALS' as const, value }],
      actions: [{ type: 'SHOW' as const, fieldIds: [idOf(shown)] }],
    };
    await must(org.api.call('templates.rules', 'create', { params: at(title), body }));
  };
  await showIf('Collect personal data', 'remote', true, 'address');
  await showIf('Order the equipment', 'item', 'Laptop', 'layout');
  for (const title of ['Order the equipment', 'Agree on the contract']) {
    const body = { taskIds: [at('Collect personal data').taskId] };
    await must(org.api.call('templates.dependencies', 'set', { params: at(title), body }));
  }
  await must(org.api.call('templates', 'publish', { params: { id: templateId } }));

  /** The run that was launched. */
  const run = async () => {
    const { data } = await must(org.api.call('runs', 'list', {}));
    return getRun(org.api, data[0]?.id ?? '');
  };
  return {
    org,
    ...people,
    run,
    /** The status of each task, by its title. */
    statuses: async () => Object.fromEntries((await run()).tasks.map(({ title, status }) => [title, status])),
    /** The values of each entry of a task, oldest first, by the keys of the fields. */
    entries: async (title: string) => {
      const { runTaskId } = (await run()).byTitle(title);
      const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId } }));
      return data
        .toReversed()
        .map(({ fieldValues }) => Object.fromEntries(fieldValues.map(({ key, value }) => [key, value])));
    },
  };
}
