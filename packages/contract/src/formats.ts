import type { z } from 'zod';
import { email, id, localDate, timestamp, webUrl } from './values.ts';

const accepts = (schema: z.ZodType) => (text: string) => schema.safeParse(text).success;

/** Format checks for text that does not come from a request body: form fields, cursors, command lines. */
export const formats = {
  isId: accepts(id),
  isEmail: accepts(email),
  isWebUrl: accepts(webUrl),
  isDate: accepts(localDate),
  isTimestamp: accepts(timestamp),
};
