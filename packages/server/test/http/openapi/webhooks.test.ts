import { eventData, eventNames, eventPayloads } from '@runward/contract';
import test from 'ava';
import { deliveryHeaders } from '../../../src/http/openapi/webhooks.ts';
import { signatureHeaders } from '../../../src/webhooks/delivery/sign.ts';
import { document, resolve, type Node } from './nodes.ts';

interface Webhook {
  readonly post: {
    readonly parameters: readonly Node[];
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } };
  };
}

const webhooks = document['webhooks'] as Readonly<Record<string, Webhook>>;

const componentOf = (event: string) => webhooks[event]?.post.requestBody.content['application/json'].schema.$ref ?? '';

test('each event has a schema of its own, with its name and its data', (t) => {
  for (const event of eventNames) {
    t.like(resolve(componentOf(event)), {
      properties: { event: { const: event }, data: { $ref: `#/components/schemas/${eventData[event].meta()?.id}` } },
      required: ['event', 'deliveryId', 'timestamp', 'orgId', 'data'],
    });
  }
  t.is(componentOf('run.completed'), '#/components/schemas/RunCompletedEvent');
  t.is(new Set(eventNames.map(componentOf)).size, eventNames.length);
});

test('the payload of a delivery is one of the events, by its name', (t) => {
  const mapping = Object.fromEntries(eventNames.map((event) => [event, componentOf(event)]));
  t.like(resolve('#/components/schemas/DeliveryPayload'), {
    oneOf: eventNames.map((event) => ({ $ref: componentOf(event) })),
    discriminator: { propertyName: 'event', mapping },
  });
});

test('an event is rejected with the data of another', (t) => {
  const id = '01900000-0000-7000-8000-000000000001';
  const data = { runId: id, templateId: id, sequence: 1 };
  const payload = (event: string) => ({
    event,
    deliveryId: id,
    timestamp: '2026-03-01T09:00:00.000Z',
    orgId: id,
    data,
  });
  t.true(eventPayloads['run.completed'].safeParse(payload('run.completed')).success);
  t.false(eventPayloads['run.completed'].safeParse(payload('run.cancelled')).success);
  t.false(eventPayloads['task.completed'].safeParse(payload('task.completed')).success);
});

test('the headers of a delivery are described', (t) => {
  const secrets = { secret: 'a', previousSecret: 'b' };
  const signed = signatureHeaders({ id: '01900000-0000-7000-8000-000000000001', body: '{}' }, secrets, new Date());
  const sent: Record<string, string> = { ...signed, traceparent: `00-${'4b'.repeat(16)}-${'f0'.repeat(8)}-01` };
  const described = Object.values(deliveryHeaders);
  t.deepEqual(described.map(({ name }) => name).sort(), Object.keys(sent).sort());
  for (const { name, schema } of described) {
    if ('pattern' in schema) t.regex(sent[name] ?? '', new RegExp(schema.pattern), name);
  }
  const references = Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  for (const event of eventNames) t.deepEqual(webhooks[event]?.post.parameters, references);
});
