import { contract } from '@runward/contract';
import { notFound } from '../../../api-error.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** Grants what was chosen to a member or a group, and returns to their page. */
export async function grant({ api, form }: ConsoleRequest): Promise<Redirect> {
  const [kind = '', id = ''] = (form.get('granted') ?? '').split(':');
  const granted = kind === 'folderId' || kind === 'templateId' ? [[kind, id] as const] : [];
  await call(api, contract.grants.create, { body: { ...holderIn(form), ...Object.fromEntries(granted) } });
  return { redirectTo: `${pageOf(form)}?notice=granted` };
}

/** Revokes a grant, and returns to the page of who had it. */
export async function revokeGrant({ api, params, form }: ConsoleRequest): Promise<Redirect> {
  const { data } = await call(api, contract.grants.list, { query: { ...holderIn(form), limit: 200 } });
  if (!data.some(({ id }) => id === params['id'])) throw notFound('Grant');
  await call(api, contract.grants.delete, { params: { id: params['id'] ?? '' } });
  return { redirectTo: `${pageOf(form)}?notice=grantRevoked` };
}

/** The member or the group that a form names. */
function holderIn(form: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...form].filter(([name]) => name === 'userId' || name === 'groupId'));
}

/** The page of the member or the group that a form names. */
function pageOf(form: URLSearchParams): string {
  const groupId = form.get('groupId');
  if (groupId !== null) return `${consolePaths.groups}/${encodeURIComponent(groupId)}`;
  return `${consolePaths.members}/${encodeURIComponent(form.get('userId') ?? '')}`;
}
