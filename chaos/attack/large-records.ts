import { randomBytes } from 'node:crypto';
import type { Attacker } from './attacker.ts';

const long = 'x'.repeat(9_990);

/** A template that is as large as it may be, and its text random so that nothing compresses it. */
export async function largeTemplate({ api }: Attacker): Promise<string> {
  const { id } = await api.templates.create({ name: 'Large' });
  const tasks = Array.from({ length: 240 }, (_, index) => ({
    title: `Task ${index}`,
    description: randomBytes(950).toString('hex'),
    fields: Array.from({ length: 5 }, (_unused, field) => ({ label: `Field ${field}`, type: 'TEXT' as const })),
  }));
  await api.templates.draft.replace(id, { phases: [], variables: [], tasks });
  return id;
}

/** A run with as many values as it may have. */
export async function largeRun({ api }: Attacker): Promise<string> {
  const { id: templateId } = await api.templates.create({ name: 'Large run' });
  const fields = Array.from({ length: 90 }, (_, index) => ({ label: `Text ${index}`, type: 'LONG_TEXT' as const }));
  const tasks = [{ title: 'Log', repeatable: true, fields }, { title: 'Last' }];
  await api.templates.draft.replace(templateId, { phases: [], variables: [], tasks });
  await api.templates.publish(templateId);
  const [first] = (await api.templates.draft.get(templateId)).tasks;
  const { id } = await api.runs.launch({ templateId });
  const { tasks: all } = await api.runs.get(id);
  const runTaskId = all[0]?.runTaskId ?? '';
  const values = (first?.fields ?? []).map((field) => ({ runTaskFieldId: field.id, value: long }));
  try {
    for (let entry = 0; entry < 3; entry += 1) await api.execution.submitForm({ runTaskId, values });
  } catch {
    // The run is full.
  }
  return id;
}

/** Rows that are as large as they may be. */
export async function wideRows({ api, send }: Attacker): Promise<string> {
  const columns = Array.from({ length: 49 }, (_, index) => ({ name: `Column ${index}`, type: 'TEXT' as const }));
  const { id, columns: created } = await api.dataSources.create({
    name: `Wide ${randomBytes(4).toString('hex')}`,
    columns,
  });
  const cells = Object.fromEntries(created.map(({ id }) => [id, 'y'.repeat(1_900)]));
  for (let batch = 0; batch < 4; batch += 1) {
    await send({
      method: 'POST',
      path: `/data-sources/${id}/rows/bulk`,
      body: { rows: Array.from({ length: 50 }, () => ({ cells })) },
    });
  }
  return id;
}
