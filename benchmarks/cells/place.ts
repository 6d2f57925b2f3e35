import { contract } from '@runward/contract';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import type { Bench, Target } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';
import { createWithOrganization } from '../seed/organization.ts';
import { answersFor, documentOf, insertTemplate } from '../seed/template.ts';

/** Runs to read and to list, before anything is measured. */
const runCount = 2_000;

/** What a database was filled with. */
export interface Content {
  readonly apiKey: string;
  readonly templateId: string;
  readonly runIds: readonly string[];
  /** The values of the only form with fields, by its task. */
  readonly values: Readonly<Record<string, readonly { runTaskFieldId: string; value: unknown }[]>>;
}

/** A service, the way to its database, and what is in there. */
export interface Place extends Target {
  readonly name: string;
  readonly databaseUrl: string;
  readonly seeded: Content;
}

/** Starts a service on a database that has been filled. */
export async function startPlace(bench: Bench, name: string, databaseUrl: string, seeded: Content): Promise<Place> {
  const { url, pid } = bench.stack.use(await startRunward({ ...bench, databaseUrl, mode: 'production' }));
  return { name, databaseUrl, seeded, url, pid };
}

/** Fills a database and starts a service on it. */
export async function openPlace(bench: Bench, name: string, databaseUrl: string): Promise<Place> {
  bench.log(`Filling ${name} with ${runCount.toLocaleString('en')} runs ...`);
  const { organizationId, ownerUserId: userId, apiKey } = await createWithOrganization(databaseUrl);
  const document = documentOf(10, true);
  const { templateId } = await withClient(databaseUrl, (client) =>
    insertTemplate(client, { organizationId, userId }, 'Benchmark', document),
  );
  const values = Object.fromEntries(
    document.tasks.map(({ id, fields }) => [id, answersFor(fields.map((field) => field.id))]),
  );
  const place = await startPlace(bench, name, databaseUrl, { apiKey, templateId, runIds: [], values });
  const runIds = await launchRuns(place);
  await withClient(databaseUrl, (client) => client.query('analyze'));
  return { ...place, seeded: { ...place.seeded, runIds } };
}

async function launchRuns({ url, seeded }: Place): Promise<string[]> {
  const { method, path } = contract.runs.launch;
  const body = JSON.stringify({ templateId: seeded.templateId });
  const ids: string[] = [];
  const launchSome = async () => {
    while (ids.length < runCount) {
      const response = await fetch(url + path, { method, headers: headersOf(seeded), body });
      if (response.status !== 201) throw new Error(`${method} ${url}${path} returned ${response.status}.`);
      ids.push(((await response.json()) as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: 10 }, launchSome));
  return ids;
}
