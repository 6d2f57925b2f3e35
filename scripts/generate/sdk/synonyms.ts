import { entries, type GeneratedFile } from '../generated-file.ts';

/** The words of the SDK for properties and query parameters that have another name in requests, by method. */
export const synonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'templates.list': { search: 'name' },
  'webhooks.create': { events: 'enabledEvents' },
  'webhooks.update': { events: 'enabledEvents' },
};

/** The words as the SDK imports them. */
export const sdkSynonyms: GeneratedFile = {
  path: 'packages/sdk/src/generated/synonyms.ts',
  code: `/**
 * The words of the SDK for properties and query parameters that have another name in requests, by method. Requests
 * carry the other name, and a method takes it too.
 */
export const synonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${entries(synonyms)}
};
`,
};
