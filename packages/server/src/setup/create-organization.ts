import { randomBytes } from 'node:crypto';
import { scopes, type ResourceMode, type Scope } from '@runward/contract';
import { hash } from '@node-rs/argon2';
import { newApiKey } from '../access/api-key.ts';
import type { Em } from '../db/database.ts';
import { ApiKey } from '../db/entities/api-key.ts';
import { Organization, type Plan } from '../db/entities/organization.ts';
import { User } from '../db/entities/user.ts';
import { newId } from '../ids.ts';

/** Cost of a password's argon2id hash: 19 MiB, two passes. */
const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A new organization, its owner and the secrets nobody can read back later. */
export interface NewOrganization {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly signingSecret: string;
}

/** Creates an organization with an owner and an API key that holds every scope. The caller flushes or commits. */
export async function createOrganization(
  em: Em,
  { name, plan, timeZone, ownerEmail }: { name: string; plan: Plan; timeZone: string; ownerEmail: string },
): Promise<NewOrganization> {
  const createdAt = new Date();
  const organizationId = newId();
  const ownerUserId = newId();
  const ownerPassword = randomBytes(18).toString('base64url');
  const signingSecret = randomBytes(32).toString('base64url');
  em.create(Organization, { id: organizationId, name, plan, timeZone, signingSecret, createdAt });
  await em.flush();
  em.create(User, {
    id: ownerUserId,
    organizationId,
    email: ownerEmail.toLowerCase(),
    name: 'Owner',
    role: 'OWNER',
    status: 'ACTIVE',
    passwordHash: await hash(ownerPassword, passwordCost),
    createdAt,
  });
  await em.flush();
  const { id: apiKeyId, plainKey: apiKey } = await createApiKey(em, {
    organizationId,
    createdByUserId: ownerUserId,
    name: 'First key',
    scopes,
  });
  return { organizationId, ownerUserId, ownerEmail, ownerPassword, apiKey, apiKeyId, signingSecret };
}

/** Creates an API key; `plainKey` is the only time it is seen whole. */
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
): Promise<{ id: string; plainKey: string }> {
  const { plainKey, hash: keyHash, suffix: keySuffix } = newApiKey();
  const id = newId();
  em.create(ApiKey, {
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
    createdAt: new Date(),
  });
  await em.flush();
  return { id, plainKey };
}
