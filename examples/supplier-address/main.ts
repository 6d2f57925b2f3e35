/**
 * Places an order with a supplier from a data source: `main.ts SUPPLIER`. Choosing the supplier fills in the address.
 * Needs the data source "Suppliers" and the template "Purchase order" (see the README), RUNWARD_API_KEY, and
 * RUNWARD_BASE_URL unless the service is at http://127.0.0.1:3000.
 */
import { createClient } from '@runward/sdk';

const [supplier] = process.argv.slice(2);
if (supplier === undefined) throw new Error('Usage: main.ts SUPPLIER');

const runward = createClient();
const templates = await Array.fromAsync(runward.templates.list({ status: 'PUBLISHED' }));
const template = templates.find(({ name }) => name === 'Purchase order');
if (!template) throw new Error('Apply and publish purchase-order.json first.');
const { data: fields } = await runward.templates.publishedFields(template.id);
const fieldId = (key: string) => fields.find((field) => field.key === key)?.runTaskFieldId ?? '';

// The suggestions of a form while somebody types: active rows with a cell that contains the text.
const sources = await Array.fromAsync(runward.dataSources.list());
const source = sources.find(({ name }) => name === 'Suppliers');
if (!source) throw new Error('Create the data source "Suppliers" first.');
const { data: rows } = await runward.dataSources.lookup(source.id, {
  templateFieldId: fieldId('supplier'),
  search: supplier,
});
const [row] = rows;
if (!row) throw new Error(`No supplier is called "${supplier}".`);

const launched = await runward.runs.launch({ templateId: template.id, title: `Order from ${row.label}` });
const run = await runward.runs.get(launched.id);
const task = run.tasks.find(({ title }) => title === 'Place the order');
if (!task) throw new Error('The run has no task "Place the order".');
const { autoFilledFields } = await runward.execution.submitForm({
  runTaskId: task.runTaskId,
  values: [
    { runTaskFieldId: fieldId('supplier'), value: row.id },
    { runTaskFieldId: fieldId('amount'), value: 120 },
  ],
});
console.log(launched.title);
for (const { runTaskFieldId, value } of autoFilledFields) {
  const field = fields.find((each) => each.runTaskFieldId === runTaskFieldId);
  console.log(`  ${field?.label}: ${String(value)}`);
}
