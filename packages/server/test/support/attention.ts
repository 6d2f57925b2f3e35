import type { TestOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';

type App = Pick<SharedApp, 'provision'>;
type Organization = Pick<TestOrganization, 'api' | 'organizationId'>;

/** Publishes a version whose rules could not be applied to any run of the template. */
export async function failRulesSync(app: App, { api }: Organization, templateId: string): Promise<void> {
  await must(api.call('templates.tasks', 'create', { params: { id: templateId }, body: { title: 'One more' } }));
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: { syncRules: false } }));
  await app.provision.query(
    `insert into rule_syncs (organization_id, template_id, template_version_id, status, total, processed, failed, started_at, updated_at, finished_at)
    select organization_id, id, published_version_id, 'FAILED', 0, 0, (
        select json_agg(json_build_object('runId', id, 'message', 'It broke; migrate the run.')) from runs where template_id = $1),
      now(), now(), now()
    from templates where id = $1
    on conflict (organization_id, template_id) do update set status = 'FAILED', failed = excluded.failed, finished_at = now(),
      template_version_id = excluded.template_version_id`,
    [templateId],
  );
}

/** Creates a webhook. */
export async function newWebhook({ api }: Organization, name: string): Promise<string> {
  const body = { name, url: 'http://127.0.0.1:1/hook', enabledEvents: ['run.started' as const], enabled: false };
  return (await must(api.call('webhooks', 'create', { body }))).id;
}

/** Makes deliveries that ended some days ago, one per second. */
export async function addDeliveries(
  app: App,
  { organizationId }: Organization,
  webhookId: string,
  { status = 'FAILED', days = 1, queue = 1, count = 1 },
): Promise<void> {
  await app.provision.query(
    `insert into webhook_deliveries (organization_id, webhook_id, id, record_id, event, status, queue, created_at)
    select $1, $2, gen_random_uuid(), gen_random_uuid(), 'run.started', $3, $4,
      now() - make_interval(days => $5, secs => position)
    from generate_series(1, $6) position`,
    [organizationId, webhookId, status, queue, days, count],
  );
}

/** Disables a webhook as the service does. */
export async function disableWebhook(app: App, id: string, reason: string): Promise<void> {
  await app.provision.query(
    `update webhooks set enabled = false, disabled_reason = $1, disabled_at = now() where id = $2`,
    [reason, id],
  );
}

/** Records that the scanner found something in a file. */
export async function infect(app: App, fileId: string): Promise<void> {
  await app.provision.query(
    `update files set scan_status = 'INFECTED', scan_signature = 'Eicar', scanned_at = now(), next_attempt_at = null
    where id = $1`,
    [fileId],
  );
}

/** Makes it so that nobody has worked on a run for some days. */
export async function neglect(app: App, runId: string, days: number): Promise<void> {
  await app.provision.query(`update runs set last_activity_at = now() - make_interval(days => $1) where id = $2`, [
    days,
    runId,
  ]);
}
