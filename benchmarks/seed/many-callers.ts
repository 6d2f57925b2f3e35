import type { ProcessDocument } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { newApiKey } from '@runward/server/internal/organization/api-key-token';
import type { Client } from 'pg';
import type { Baseline, Caller } from '../baseline/callers.ts';
import type { Bench } from '../harness/part.ts';
import { copyOrganization } from '../scale/many-organizations.ts';
import { seedManyRuns } from './many-runs.ts';
import { insertWebhooks } from './seed.ts';

const organizations = 200;
const keysEach = 5;
const tasks = 10;

/** A run that is read, or a task whose form was never opened. */
export interface Owned {
  readonly id: string;
  readonly organizationId: string;
}

/** What the databases `mixed` and `mixed_baseline` contain. */
export interface ManyCallers extends Baseline {
  /** The API keys of each organization. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly runs: readonly Owned[];
  /** The first tasks of active runs, with what can be filled in. */
  readonly forms: readonly (Owned & { readonly fieldIds: readonly string[] })[];
  /** Ids of templates and of members, which all organizations share. */
  readonly templateIds: readonly string[];
  readonly memberIds: readonly string[];
}

/**
 * Fills the database `mixed` with `runs` runs of ten tasks in 200 organizations, each with 20 templates, 51 members,
 * five API keys and a webhook, and copies it to `mixed_baseline`.
 */
export async function seedManyCallers(bench: Bench, runs: number): Promise<ManyCallers> {
  await seedManyRuns(bench, 'mixed', { runs: runs / organizations, tasks, forms: true });
  const seeded = await withClient(bench.postgres.url('mixed'), async (client) => {
    await copyOrganization(client, organizations);
    await insertWebhooks(client);
    const keys = await insertKeys(client);
    await client.query('vacuum (analyze)');
    return readSeeded(client, keys);
  });
  const copy = 'create database mixed_baseline template mixed strategy file_copy';
  await withClient(bench.postgres.url('postgres'), (client) => client.query(copy));
  return seeded;
}

/** Inserts copies of the only API key. Returns them by their hashes. */
async function insertKeys(client: Client): Promise<ReadonlyMap<string, string>> {
  const created = Array.from({ length: organizations * keysEach }, newApiKey);
  const hashes = created.map(({ hash }) => hash.toString('hex'));
  await client.query(
    `insert into api_keys
     select (jsonb_populate_record(one, jsonb_build_object('organization_id', organization.id, 'id', uuidv7(), 'key_hash', '\\x' || key.hash))).*
     from api_keys one, unnest($1::text[]) with ordinality key (hash, n)
     join (select row_number() over () as n, id from organizations) organization on organization.n = key.n % $2 + 1`,
    [hashes, organizations],
  );
  return new Map(created.map(({ plainKey }, index) => [hashes[index] ?? '', plainKey]));
}

async function readSeeded(client: Client, plainKeys: ReadonlyMap<string, string>): Promise<ManyCallers> {
  const { rows: versions } = await client.query<Version>(
    `select distinct on (template_id) template_id as "templateId", document from template_versions order by template_id`,
  );
  const [first] = versions;
  if (!first) throw new Error('No template was inserted.');
  const { rows: callers } = await client.query<Caller & { readonly hash: string }>(
    `select key.organization_id as "organizationId", key.created_by_user_id as "userId", key.id as "apiKeyId", webhook.id as "webhookId",
       version.template_id as "templateId", version.id as "versionId", encode(key.key_hash, 'hex') as hash
     from api_keys key join webhooks webhook using (organization_id) join template_versions version using (organization_id)
     where version.template_id = $1`,
    [first.templateId],
  );
  const known = callers.flatMap(({ hash, ...caller }) => {
    const key = plainKeys.get(hash);
    return key === undefined ? [] : [{ key, caller }];
  });
  const { rows: runs } = await client.query<Owned>(
    `select organization_id as "organizationId", id from runs order by id`,
  );
  const { rows: formTasks } = await client.query<Owned & { readonly templateId: string }>(
    `select task.organization_id as "organizationId", task.id, task.template_id as "templateId" from run_tasks task
     where position = 0 and listed order by id`,
  );
  const fieldIds = new Map(versions.map((each) => [each.templateId, fieldsOf(each)]));
  const { rows: members } = await client.query<{ id: string }>(`select distinct id from users order by id limit 2`);
  const byOrganization = Map.groupBy(known, ({ caller }) => caller.organizationId);
  return {
    callers: Object.fromEntries(known.map(({ key, caller }) => [`Bearer ${key}`, caller])),
    taskIds: first.document.tasks.map(({ id }) => id),
    keys: new Map(Array.from(byOrganization, ([id, each]) => [id, each.map(({ key }) => key)])),
    runs,
    forms: formTasks.map(({ organizationId, id, templateId }) => ({
      organizationId,
      id,
      fieldIds: fieldIds.get(templateId) ?? [],
    })),
    templateIds: versions.map(({ templateId }) => templateId),
    memberIds: members.map(({ id }) => id),
  };
}

interface Version {
  readonly templateId: string;
  readonly document: ProcessDocument;
}

function fieldsOf({ document }: Version): string[] {
  return document.tasks[0]?.fields.map(({ id }) => id) ?? [];
}
