import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** The schema of the record that an endpoint returns, or of the records in its list. Undefined without one. */
export function recordOf({ response }: Endpoint): z.ZodType | undefined {
  if (!(response instanceof z.ZodType)) return undefined;
  const data: unknown = response instanceof z.ZodObject ? response.shape['data'] : undefined;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : response;
}
