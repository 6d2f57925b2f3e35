import { eventNames, eventPayloads, type EventName } from '@runward/contract';
import { examples } from '@runward/contract/examples';
import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';

const seconds = { type: 'string', pattern: '^\\d+$' } as const;

/** The headers of a delivery, by the name of their component. */
export const deliveryHeaders = {
  FlowTimestamp: {
    name: 'x-flow-timestamp',
    in: 'header',
    required: true,
    description:
      'When this attempt was signed, in seconds since 1970. Reject a delivery that is more than 5 minutes old.',
    schema: seconds,
  },
  FlowSignature: {
    name: 'x-flow-signature',
    in: 'header',
    required: true,
    description:
      'The HMAC-SHA256 of `x-flow-timestamp`, a dot and the raw body, by the signing secret, in lower-case hex.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  FlowSignaturePrevious: {
    name: 'x-flow-signature-previous',
    in: 'header',
    description: 'The same by the previous secret. Present while a rotation of the secret overlaps.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The `deliveryId` of the body. This header and the next two are those of Standard Webhooks.',
    schema: { type: 'string', format: 'uuid' },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'The same as `x-flow-timestamp`.',
    schema: seconds,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One signature per valid secret, separated by spaces: `v1,` and the HMAC-SHA256 of `webhook-id`, a dot, `webhook-timestamp`, a dot ' +
      'and the raw body, in base64.',
    schema: { type: 'string', pattern: '^v1,[0-9A-Za-z+/=]+( v1,[0-9A-Za-z+/=]+)?$' },
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description:
      'The trace of this attempt, as in W3C Trace Context. Present if the service exports traces; not signed.',
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

/** The requests that webhook receivers get, by event. */
export function webhooks(): Record<string, { post: ZodOpenApiOperationObject }> {
  return Object.fromEntries(eventNames.map((event) => [event, { post: eventOperation(event) }]));
}

function eventOperation(event: EventName): ZodOpenApiOperationObject {
  const operationId = `event.${event}`;
  const example = examples[operationId]?.request;
  return {
    operationId,
    security: [],
    summary: `Sent on ${event}`,
    description:
      'A signed request to the URL of each webhook that is subscribed to the event. Deliveries can arrive twice and in any order.',
    parameters: Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema: eventPayloads[event], example } } },
    responses: { '2XX': { description: 'Received. Any other response is retried.' } },
  };
}
