import { userRoles, type UserRole } from '@runward/contract';
import { z } from 'zod';
import { boolean, text } from './setting-values.ts';
import { secret, secretsOf } from './settings/secret-files.ts';

/** The roles that new members can get; owners are made by owners. */
const createdRoles = userRoles.filter((role) => role !== 'OWNER');

/** The settings of an OpenID Connect provider. */
export interface ProviderSettings {
  /** Its name in paths: lower-case letters and digits. */
  readonly slug: string;
  /** Its name for people. */
  readonly name: string;
  /** Its issuer identifier, a URL without a slash at the end of an empty path. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which has PKCE alone. */
  readonly clientSecret: string | undefined;
  /** What is asked for, separated by spaces. */
  readonly scopes: string;
  /** The organization whose members it signs in; if undefined, members of all organizations. */
  readonly organizationId: string | undefined;
  /** Whether people without a member are added to the organization. */
  readonly createsMembers: boolean;
  /** The role of members that it adds. */
  readonly defaultRole: Exclude<UserRole, 'OWNER'>;
  /** The claim with the names of groups; if undefined, the provider does not change memberships. */
  readonly groupsClaim: string | undefined;
  /** Whether its email addresses count as verified without the claim `email_verified`. */
  readonly trustsEmail: boolean;
}

/** How members sign in. */
export interface SignInSettings {
  readonly byPassword: boolean;
  readonly providers: readonly ProviderSettings[];
}

/** The slug of the provider whose variables have no name in them. */
const unnamed = 'sso';
/** `/sign-in/resume` is where forms are sent. */
const reserved = new Set([unnamed, 'resume']);

const provider = z
  .object({
    ISSUER: z.string({ error: 'must be set; give the issuer of the provider' }).refine(isIssuer, {
      error:
        'must be an https URL without a query, like https://login.example.com/realms/acme; http is accepted for this machine only',
    }),
    CLIENT_ID: z
      .string({ error: 'must be set; the provider shows it for the client that you registered' })
      .min(1, 'must not be empty; the provider shows it'),
    CLIENT_SECRET: secret(text.optional()),
    NAME: text.max(60, 'must be at most 60 characters').optional(),
    ORGANIZATION: z
      .uuid({ error: 'must be the id of an organization; see runward-admin organization list' })
      .optional(),
    CREATE_MEMBERS: boolean(),
    DEFAULT_ROLE: z.enum(createdRoles, { error: `must be ${createdRoles.join(', ')}` }).default('MEMBER'),
    GROUPS_CLAIM: text.optional(),
    SCOPES: z
      .string()
      .default('openid profile email')
      .refine((text) => text.split(' ').includes('openid'), 'must contain openid, like "openid profile email groups"'),
    TRUST_EMAIL: boolean(),
  })
  .refine((own) => !own.CREATE_MEMBERS || own.ORGANIZATION !== undefined, {
    path: ['ORGANIZATION'],
    error: 'must be set with CREATE_MEMBERS=true; give the id of the organization to which members are added',
  });

const settingNames = Object.keys(provider.shape);
const pattern = new RegExp(`^OIDC_(?:([A-Z0-9]+)_)?(${settingNames.join('|')})$`);

/** The names of the variables of the provider without a name. */
export const providerVariables: readonly string[] = settingNames.map((name) => `OIDC_${name}`);

const secrets = secretsOf(provider.shape);

/** Those of them that are secrets. */
export const providerSecrets: readonly string[] = secrets.map((name) => `OIDC_${name}`);

/** Whether a variable is a secret of any provider. */
export const isProviderSecret = (name: string) => secrets.includes(pattern.exec(name)?.[2] ?? '');

/** The variable with the issuer of the provider with this slug. */
export const issuerVariable = (slug: string) =>
  slug === unnamed ? 'OIDC_ISSUER' : `OIDC_${slug.toUpperCase()}_ISSUER`;

/** Whether a variable is meant to be a setting of a provider. */
export const isProviderVariable = (name: string) => name.startsWith('OIDC_');

/**
 * Reads the variables of all providers: `OIDC_ISSUER` and others, and `OIDC_<NAME>_ISSUER` and others for each further
 * one.
 */
export function readProviders(env: Readonly<Record<string, string | undefined>>): {
  readonly providers: readonly ProviderSettings[];
  /** What is wrong, each with the name of the variable. */
  readonly problems: readonly string[];
} {
  const providers: ProviderSettings[] = [];
  const problems: string[] = [];
  const given = new Map<string, Record<string, string>>();
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || !isProviderVariable(variable)) continue;
    const [, name = '', setting] = pattern.exec(variable) ?? [];
    if (setting === undefined) problems.push(`${variable}: unknown; ${naming}`);
    else given.set(name, { ...given.get(name), [setting]: value });
  }
  for (const [name, values] of given) {
    const prefix = name === '' ? 'OIDC_' : `OIDC_${name}_`;
    if (reserved.has(name.toLowerCase())) {
      problems.push(`${prefix}ISSUER: must have another name than ${name}, which the service uses itself`);
    }
    const { data, error } = provider.safeParse(values);
    if (data) providers.push(settingsOf(name, data));
    else problems.push(...error.issues.map(({ path, message }) => `${prefix}${path.join('.')}: ${message}`));
  }
  return { providers, problems };
}

const naming = `a setting of a provider is OIDC_ISSUER or OIDC_<NAME>_ISSUER, with a name of letters and digits, and likewise ${settingNames
  .slice(1)
  .join(', ')}`;

function settingsOf(name: string, own: z.infer<typeof provider>): ProviderSettings {
  return {
    slug: name === '' ? unnamed : name.toLowerCase(),
    name: own.NAME ?? (name === '' ? 'single sign-on' : name.charAt(0) + name.slice(1).toLowerCase()),
    issuer: own.ISSUER,
    clientId: own.CLIENT_ID,
    clientSecret: own.CLIENT_SECRET,
    scopes: own.SCOPES,
    organizationId: own.ORGANIZATION?.toLowerCase(),
    createsMembers: own.CREATE_MEMBERS,
    defaultRole: own.DEFAULT_ROLE,
    groupsClaim: own.GROUPS_CLAIM,
    trustsEmail: own.TRUST_EMAIL,
  };
}

/** Whether a text is a URL that may be an issuer. Plain http could be read and changed on its way. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || isInsecureIssuer(text);
}

/** Whether an issuer is reached over http, which only one on this machine may be. */
export function isInsecureIssuer(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url?.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
