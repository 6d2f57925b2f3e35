import { readFileSync } from 'node:fs';
import { fieldTypes, type FieldType } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource } from '../support/data-sources.ts';
import { directUpload, picture } from '../support/files.ts';

const app = useSharedApp(test);

const guide = readFileSync(new URL('../../../../docs/guides/concepts.md', import.meta.url), 'utf8');
const rows = [...guide.matchAll(/^\| `([A-Z_]+)` +\|.+\| `(.+)` +\|$/gm)];
const examples = new Map(rows.map(([, type = '', example = '']) => [type, JSON.parse(example) as never]));

test('a form takes the value that the guide to concepts gives as an example of each type', async (t) => {
  t.deepEqual([...examples.keys()], [...fieldTypes]);
  const { api, ownerUserId } = await newOrganization(app);
  const suppliers = await newSource(api, ['Name']);
  const [rowId = ''] = await suppliers.addRows({ Name: 'Contoso' });
  const options = ['berlin', 'lisbon', 'oslo'].map((key) => ({ key, label: key }));
  const lookup = { dataSourceId: suppliers.id, labelColumnId: suppliers.column('Name'), autoFill: [] };
  const withOptions = new Set<FieldType>(['DROPDOWN', 'MULTI_SELECT']);
  const process = await publishProcess(api, [
    {
      title: 'Form',
      fields: fieldTypes.map((type) => ({
        key: type.toLowerCase(),
        label: type,
        type,
        required: true,
        ...(withOptions.has(type) && { options }),
        ...(type === 'DATA_SOURCE' && { dataSource: lookup }),
      })),
    },
  ]);
  const fieldId = (type: FieldType) => process.fields[type.toLowerCase()]?.id ?? '';
  const { id, byTitle } = await launchRun(api, process.templateId);
  const { runTaskId } = byTitle('Form');
  const entry = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const upload = async (type: FieldType) =>
    (await must(directUpload(api, { entryId: entry.id, fieldId: fieldId(type) }, await picture()))).id;
  // The ids of records that exist, where the guide has others.
  const ids = new Map<FieldType, unknown>([
    ['USER', ownerUserId],
    ['FILE_UPLOAD', [await upload('FILE_UPLOAD')]],
    ['SIGNATURE', await upload('SIGNATURE')],
    ['IMAGE', await upload('IMAGE')],
    ['DATA_SOURCE', rowId],
  ]);
  const values = fieldTypes.map((type) => {
    const example: unknown = examples.get(type);
    const value = ids.get(type) ?? example;
    t.is(Array.isArray(value), Array.isArray(example), type);
    t.is(typeof value, typeof example, type);
    return { runTaskFieldId: fieldId(type), value: value as never };
  });
  const submitted = await must(api.call('execution', 'submitForm', { body: { runTaskId, values } }));
  t.is(submitted.taskStatus, 'COMPLETED');
  t.is((await must(api.call('runs', 'get', { params: { id } }))).status, 'COMPLETED');
  const { fieldValues } = await must(api.call('execution', 'get', { params: { id: entry.id } }));
  t.deepEqual(
    new Map(fieldValues.map((each) => [each.runTaskFieldId, each.value])),
    new Map(values.map((each) => [each.runTaskFieldId, each.value])),
  );
});
