import { eventNames, isBinary, isMultipart, isStream, statusOf, type EventName } from '@runward/contract';
import type { EndpointExample } from '@runward/contract/examples';
import { callOf, examplesOf, prepare, send } from '@runward/server/test-support/sweep/calls';
import { allEndpoints, type NamedEndpoint } from '@runward/server/test-support/sweep/endpoints';
import { callerOf, newWorld, type World } from '@runward/server/test-support/world/world';
import type { TestApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { createStandIns } from './stand-ins.ts';

/** The examples of all endpoints, by names like `runs.get`, and of all events, by names like `event.run.started`. */
export async function record(app: TestApp, receiverUrl: string): Promise<Map<string, EndpointExample>> {
  const examples = new Map<string, EndpointExample>();
  const newOne = async () => {
    const world = await newWorld(app, await newOrganization(app), receiverUrl);
    await must(world.session.call('organization', 'update', { body: { name: 'Northwind' } }));
    return world;
  };
  // Each endpoint gets its own organization, so that its example does not depend on earlier calls.
  for (const each of allEndpoints) examples.set(each.name, await recordEndpoint(each, await newOne()));
  const world = await newOne();
  for (const event of eventNames) examples.set(`event.${event}`, await recordEvent(event, world));
  return examples;
}

async function recordEndpoint(each: NamedEndpoint, world: World): Promise<EndpointExample> {
  const { name, endpoint } = each;
  const [example = {}] = examplesOf(each);
  const ids = await prepare(example, world);
  const call = callOf(each, example, ids, world);
  const { status, body } = await send(callerOf(world, endpoint), each, call);
  if (status !== statusOf(endpoint)) throw new Error(`${name} returned ${status}: ${JSON.stringify(body)}`);

  const standIns = standInsOf(world, { ...ids });
  const isJsonRequest = call.body !== undefined && !isMultipart(endpoint.body) && !isBinary(endpoint.body);
  const isJsonResponse = body !== undefined && !isStream(endpoint.response);
  return {
    ...(isJsonRequest && { request: standIns.replace(call.body, `${name} request`) }),
    ...(isJsonResponse && { response: standIns.replace(shorten(name, body), `${name} response`) }),
  };
}

/** The payload of an event, from a test delivery without its test mark. */
async function recordEvent(event: EventName, world: World): Promise<EndpointExample> {
  const params = { id: world.ids.webhook };
  const { payload } = await must(world.api.call('webhooks', 'test', { params, body: { event } }));
  const { test: _, ...data } = payload.data;
  return { request: standInsOf(world, {}).replace({ ...payload, data }, `event.${event}`) };
}

/** Names the ids that an example created after their kinds, and replaces the ids of the test world by other names. */
function standInsOf({ ids, org, receiverUrl }: World, own: Readonly<Record<string, string>>) {
  const ofWorld = Object.entries(ids).filter(([name, id]) => own[name] !== id && own[name] !== undefined);
  const others = Object.fromEntries(ofWorld.map(([name, id]) => [`another ${name}`, id]));
  const kinds = Object.keys(own).length === 0 ? { ...ids } : own;
  return createStandIns({ ...others, organization: org.organizationId, ...kinds }, receiverUrl);
}

/** The document itself is as long as all examples. */
function shorten(name: string, body: unknown): unknown {
  if (name !== 'openapi.get') return body;
  const { openapi } = body as { openapi: string };
  return { openapi, info: { title: 'Runward', version: '1.0.0' }, paths: {} };
}
