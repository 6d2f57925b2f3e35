import { z } from 'zod';

/** A parameter of a query string that is JSON of a schema. `example` shows what the JSON looks like. */
export function jsonQuery<Schema extends z.ZodType>(schema: Schema, example: string) {
  const notJson = `must be a JSON list like ${example}`;
  return z
    .string()
    .max(20_000, 'must be at most 20000 characters')
    .transform((text, { issues }): z.output<Schema> => {
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        issues.push({ code: 'custom', input: text, message: notJson });
        return z.NEVER;
      }
      const parsed = schema.safeParse(json, { reportInput: true });
      if (parsed.success) return parsed.data;
      for (const { path, message } of parsed.error.issues) {
        issues.push({ code: 'custom', input: text, path: [...path], message: Array.isArray(json) ? message : notJson });
      }
      return z.NEVER;
    });
}
