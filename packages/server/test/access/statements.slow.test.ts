import { scopes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { connectTo } from '../support/database/connect.ts';
import { libraryTables } from '../support/database/schema.ts';
import { recordStatements, scansOf, type Scan } from '../support/database/statements.ts';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { allEndpoints, isSessionOnly, type NamedEndpoint } from '../support/sweep/endpoints.ts';
import { callerOf, newWorld, type World } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });

/**
 * Values that are unique over all organizations: with them the guard and the sign-in find out who is calling, and
 * readers find portals of other organizations.
 */
const secrets = /\b(key_hash|token_hash|email|slug|credential_id)\b/;

/** Whether a scan is limited to one organization. */
function namesOrganization({ table, alias, conditions }: Scan): boolean {
  const column = `${alias}.${table === 'organizations' ? 'id' : 'organization_id'}`.replace('.', '\\.');
  return new RegExp(`(?<!\\w)${column} = | = ${column}(?!\\w)`).test(conditions);
}

/** The workers claim for all organizations. Their other statements name those of what they have claimed. */
const claims = ['with recursive waiting', 'with due_file'];

/** Challenges for passkeys are signed before anybody says who they are. */
const beforeSignIn = 'select sign_in_key as key from organizations';

/** Makes every call that is known to succeed, if the caller may make it. */
async function callAll(world: World, endpoints: readonly NamedEndpoint[], caller?: Api) {
  for (const each of endpoints) {
    for (const example of examplesOf(each)) {
      const call = callOf(each, example, await prepare(example, world), world);
      await send(caller ?? callerOf(world, each.endpoint), each, call);
    }
  }
}

test.serial('every statement of a request names the organization for every table that it reads', async (t) => {
  await using receiver = await startReceiver();
  const org = await newOrganization(app);
  const world = await newWorld(app, org, receiver.url);
  const { template, folder } = world.ids;
  const restricted = [
    await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [template] }),
    await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder] }),
  ];
  // Signing out ends the session that the others need.
  const endpoints = allEndpoints.filter(({ name }) => name !== 'auth.logout');
  const forKeys = endpoints.filter(({ endpoint }) => endpoint.access !== 'public' && !isSessionOnly(endpoint));

  const recorded = recordStatements();
  await callAll(world, endpoints);
  for (const api of restricted) await callAll(world, forKeys, api);
  recorded.stop();

  const client = await connectTo(t, app.databaseUrl);
  // Without sequential scans the planner uses indexes as it would on large tables.
  await client.query('set enable_seqscan = off');
  const scans: Scan[] = [];
  const unlimited: string[] = [];
  for (const text of recorded
    .texts()
    .filter((each) => ![...claims, beforeSignIn].some((known) => each.includes(known)))) {
    for (const scan of await scansOf(client, text)) {
      if (libraryTables.includes(scan.table)) continue;
      scans.push(scan);
      if (!namesOrganization(scan) && !secrets.test(scan.conditions)) unlimited.push(`${scan.table}: ${text}`);
    }
  }
  t.deepEqual(unlimited, []);
  const tables = new Set(scans.map(({ table }) => table));
  t.log(`${scans.length} scans of ${tables.size} tables in ${recorded.texts().length} statements`);
  t.true(tables.size > 15, [...tables].join(', '));
});
