import type { Api } from '@runward/testing/api';
import type { TestOrganization } from '@runward/testing/organization';
import type { SharedApp } from '@runward/testing/use-shared-app';
import { newWorld, type World } from '../world/world.ts';

/** Properties that take any text of a tenant. */
const free = new Set(['name', 'title', 'label', 'description', 'comment', 'note', 'placeholder', 'helpText', 'value']);

/**
 * An API whose calls have a text behind every text that tenants choose: names, titles, descriptions, values and file
 * names.
 */
function marking(api: Api, text: string): Api {
  const marked = (value: unknown, name = ''): unknown => {
    if (value instanceof File) return new File([value], `${text}${value.name}`, { type: value.type });
    if (typeof value === 'string') return free.has(name) ? `${value}${text}` : value;
    if (Array.isArray(value)) return value.map((each) => marked(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each, key)]));
  };
  const call = (group: string, name: string, input: { readonly body?: unknown } = {}) => {
    const described = group === 'templates.tasks' && name === 'create' ? { description: '' } : {};
    const { body } = input;
    const isPlain = typeof body === 'object' && body !== null;
    return api.call(
      group as never,
      name as never,
      { ...input, ...(isPlain && { body: marked({ ...described, ...body }) }) } as never,
    );
  };
  return { raw: api.raw, call: call as Api['call'] };
}

/** A world like any other, whose every text contains another one. */
export async function markedWorld(
  app: SharedApp,
  org: TestOrganization,
  receiverUrl: string,
  text: string,
): Promise<World> {
  const session = async () => marking(await org.session(), text);
  return newWorld(app, { ...org, api: marking(org.api, text), session }, receiverUrl);
}
