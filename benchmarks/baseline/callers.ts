import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Answers as soon as the baseline does. */
export const baselineReady = '/ready';

/** Whose rows the requests with an API key read and write. */
export interface Caller {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string;
  readonly webhookId: string;
  /** The template that is launched. */
  readonly templateId: string;
  readonly versionId: string;
}

/** What the baseline knows: its callers by their `Authorization` header, and the tasks of the template. */
export interface Baseline {
  readonly callers: Readonly<Record<string, Caller>>;
  readonly taskIds: readonly string[];
}

/** Writes what the baseline is started with. Returns the name of the file. */
export async function writeBaseline(folder: string, name: string, baseline: Baseline): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(baseline), { mode: 0o600 });
  return file;
}
