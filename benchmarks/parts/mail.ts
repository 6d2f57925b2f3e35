import { randomUUID } from 'node:crypto';
import { contract } from '@runward/contract';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import { compare } from '../harness/compare.ts';
import type { Bench, Part } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { startOn } from '../seed/many-runs.ts';

const tasks = 10;

/**
 * Launches of runs with ten assigned tasks while the service tells members by mail, compared with a service that sends
 * none, each with its own database. The mail server does not exist: what is measured is all that happens before.
 */
export const mail: Part = {
  name: 'mail',
  needs: 'nothing',
  measure: async (bench) => {
    const on = await startWith(bench, 'mail_on', {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'runward@bench.example',
    });
    const off = await startWith(bench, 'mail_off', {});
    const targets = { service: on.service, baseline: off.service };
    const comparison = await compare({ ...bench, databaseUrl: bench.postgres.url('mail_on') }, targets, {
      name: `POST /runs (${tasks} assigned tasks), with mail and without`,
      unit: 'req/s',
      aim: 0.95,
      job: (url, phase, _round, side) => (side === 'service' ? on : off).job(url, phase),
    });
    return { comparisons: [comparison] };
  },
};

async function startWith(bench: Bench, database: string, env: Readonly<Record<string, string>>) {
  const { service, apiKey, api } = await startOn({ ...bench, env }, database);
  const { method, path } = contract.runs.launch;
  const templateId = await publishFor(api, await addMember(bench.postgres.url(database)));
  const body = JSON.stringify({ templateId });
  return { service, job: sending({ ...bench, seeded: { apiKey } }, [{ method, path, body }]) };
}

async function addMember(databaseUrl: string): Promise<string> {
  const id = randomUUID();
  await withClient(databaseUrl, (client) =>
    client.query(
      `insert into users (organization_id, id, email, name, role, status, password_hash, created_at)
       select id, $1, 'grace@bench.example', 'Grace', 'MEMBER', 'ACTIVE', '', now() from organizations`,
      [id],
    ),
  );
  return id;
}

/** Publishes a template whose tasks are assigned to a member. Returns its id. */
async function publishFor(api: Api, assigneeId: string): Promise<string> {
  const { id } = await must(api.call('templates', 'create', { body: { name: 'Onboarding' } }));
  for (let task = 1; task <= tasks; task += 1) {
    await must(api.call('templates.tasks', 'create', { params: { id }, body: { title: `Task ${task}`, assigneeId } }));
  }
  await must(api.call('templates', 'publish', { params: { id } }));
  return id;
}
