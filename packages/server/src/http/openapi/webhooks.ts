import { deliveryPayload, eventNames } from '@runward/contract';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** The requests that receivers of webhooks get, by event. */
export function webhooks(): Record<string, { post: ZodOpenApiOperationObject }> {
  return Object.fromEntries(eventNames.map((event) => [event, { post: eventOperation(event) }]));
}

function eventOperation(event: string): ZodOpenApiOperationObject {
  return {
    operationId: `event.${event}`,
    security: [],
    summary: `Sent on ${event}`,
    description:
      'Signed: `x-flow-signature` is the hex HMAC-SHA256 of `x-flow-timestamp`, a dot and the raw body. During the rotation of a ' +
      'secret, `x-flow-signature-previous` is computed with the previous one. The headers of Standard Webhooks are sent as well.',
    requestBody: { content: { 'application/json': { schema: deliveryPayload } } },
    responses: { '2XX': { description: 'Received. Any other response is retried.' } },
  };
}
