import { randomBytes } from 'node:crypto';
import { scopes, type ResourceMode, type Scope } from '@runward/contract';
import type { Passwords } from '../access/passwords.ts';
import { administration, recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { newId } from '../ids.ts';
import { newApiKey } from './api-key-token.ts';
import { apiKeyProperties, apiKeyTarget, organizationProperties, organizationTarget } from './audited.ts';
import { ApiKey } from './entities/api-key.ts';
import { Organization, type Plan } from './entities/organization.ts';
import { createUser } from './members/create-user.ts';
import { newSigningSecret } from './signing-secret.ts';

/** A new organization, its owner, and the secrets that cannot be retrieved later. */
export interface NewOrganization {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly signingSecret: string;
}

/** Creates an organization with an owner and an API key with every scope. The caller must commit. */
export async function createOrganization(
  em: Em,
  passwords: Passwords,
  { name, plan, timeZone, ownerEmail }: { name: string; plan: Plan; timeZone: string; ownerEmail: string },
): Promise<NewOrganization> {
  const organizationId = newId();
  const context = administration(em, organizationId);
  const ownerPassword = randomBytes(18).toString('base64url');
  const signingSecret = newSigningSecret();
  const organization = em.create(Organization, {
    id: organizationId,
    name,
    plan,
    timeZone,
    signingSecret,
    previousSigningSecret: null,
    previousSigningSecretExpiresAt: null,
    createdAt: context.now,
  });
  await em.flush();
  await recordChange(context, {
    action: 'organization.created',
    target: organizationTarget(organization),
    after: organizationProperties(organization),
  });
  const { id: ownerUserId } = await createUser(context, {
    email: ownerEmail.toLowerCase(),
    name: 'Owner',
    role: 'OWNER',
    passwordHash: await passwords.hash(ownerPassword),
  });
  const {
    id: apiKeyId,
    plainKey: apiKey,
    row: key,
  } = await createApiKey(em, {
    organizationId,
    createdByUserId: ownerUserId,
    name: 'First key',
    scopes,
  });
  await recordChange(context, { action: 'api_key.created', target: apiKeyTarget(key), after: apiKeyProperties(key) });
  return { organizationId, ownerUserId, ownerEmail, ownerPassword, apiKey, apiKeyId, signingSecret };
}

/** Creates an API key. `plainKey` cannot be retrieved later. */
export async function createApiKey(
  em: Em,
  key: {
    organizationId: string;
    createdByUserId: string;
    name: string;
    scopes: readonly Scope[];
    resourceMode?: ResourceMode;
    scopedTemplateIds?: readonly string[];
    scopedFolderIds?: readonly string[];
    expiresAt?: Date | null;
  },
): Promise<{ id: string; plainKey: string; row: ApiKey }> {
  const { plainKey, hash: keyHash, suffix: keySuffix } = newApiKey();
  const id = newId();
  const row = em.create(ApiKey, {
    id,
    organizationId: key.organizationId,
    createdByUserId: key.createdByUserId,
    name: key.name,
    keyHash,
    keySuffix,
    scopes: [...key.scopes],
    resourceMode: key.resourceMode ?? 'ALL',
    scopedTemplateIds: [...(key.scopedTemplateIds ?? [])],
    scopedFolderIds: [...(key.scopedFolderIds ?? [])],
    expiresAt: key.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: new Date(),
  });
  await em.flush();
  return { id, plainKey, row };
}
