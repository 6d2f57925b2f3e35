import { isMultipart, type Endpoint } from '@runward/contract';
import { toFormData } from '@runward/testing/api';

/** Encodes a body for its endpoint: a form if it is multipart, otherwise the value itself. */
export function encode({ body: schema }: Endpoint, body: unknown): unknown {
  return isMultipart(schema) ? toFormData(body) : body;
}
