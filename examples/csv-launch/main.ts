/**
 * Launches a run for each row of a CSV file: `main.ts TEMPLATE_ID FILE`. The column `start_date` becomes the scheduled
 * date; all other columns become variables of the run. Needs RUNWARD_API_KEY, and RUNWARD_BASE_URL unless the service
 * is at http://127.0.0.1:3000.
 */
import { readFile } from 'node:fs/promises';
import { createClient, isValidationError } from '@runward/sdk';
import { parse } from 'csv-parse/sync';

const [templateId, file] = process.argv.slice(2);
if (templateId === undefined || file === undefined) throw new Error('Usage: main.ts TEMPLATE_ID FILE');

const runward = createClient();
const rows = parse<Record<string, string>>(await readFile(file), { columns: true, bom: true, skipEmptyLines: true });

for (const [index, { start_date: scheduledDateLocal, ...variables }] of rows.entries()) {
  try {
    const run = await runward.runs.launch({ templateId, variables, ...(scheduledDateLocal && { scheduledDateLocal }) });
    console.log(`${run.publicId}  ${run.title}`);
  } catch (error) {
    if (!isValidationError(error)) throw error;
    // Only this row is invalid. The others are still launched.
    console.error(`Row ${index + 1} was rejected: ${error.messages.join('; ')}`);
    process.exitCode = 1;
  }
}
