import { createHmac } from 'node:crypto';

/** The headers by which a receiver knows that a body is ours and fresh (spec: Events, Delivery); made anew for every attempt. */
export function signatureHeaders(body: string, secret: string, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-flow-timestamp': timestamp, 'x-flow-signature': signature };
}
