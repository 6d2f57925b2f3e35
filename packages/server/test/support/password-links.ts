import { apiWith } from '@runward/testing/api';
import { secrets } from '@runward/testing/checks/secrets';
import type { TestOrganization } from '@runward/testing/organization';
import { newAddress } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** The token in the URL of a link. The end of the test file looks for it in the log and in the database. */
export function tokenOf(url: string): string {
  const token = url.slice(url.lastIndexOf('/') + 1);
  secrets.remember(token);
  return token;
}

/** A client without credentials, with a new network address. */
export function newStranger({ baseUrl }: Pick<SharedApp, 'baseUrl'>) {
  const api = apiWith(baseUrl, { 'x-forwarded-for': newAddress() });
  return {
    redeem: (token: string, password = 'a new password', headers = {}) =>
      api.raw('POST', '/auth/password-links/redeem', { body: { token, password }, headers }),
  };
}

/** A member without a password, whom the owner of an organization has invited. */
export async function inviteMember(org: TestOrganization) {
  const owner = await org.session();
  const email = `invited.${crypto.randomUUID()}@example.com`;
  const { id } = await must(owner.call('users', 'create', { body: { email, name: 'Ada <b>' } }));
  return { ...(await newLinkFor(org, id)), id, email, owner };
}

/** A link that the owner of an organization has made for a member. */
export async function newLinkFor(org: TestOrganization, id: string) {
  const link = await must((await org.session()).call('users', 'createPasswordLink', { params: { id } }));
  return { link, token: tokenOf(link.url) };
}

/** Changes times of the link of a member. */
export async function changeLink(
  app: SharedApp,
  userId: string,
  { expiresAt, createdAt }: { readonly expiresAt?: Date; readonly createdAt?: Date },
): Promise<void> {
  await app.provision.query(
    `update password_links set expires_at = coalesce($2, expires_at), created_at = coalesce($3, created_at) where user_id = $1`,
    [userId, expiresAt, createdAt],
  );
}
