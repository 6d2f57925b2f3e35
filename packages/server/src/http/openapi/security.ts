import { mayCall, userRoles, type Endpoint } from '@runward/contract';
import type { oas31 } from 'zod-openapi';
import { csrfHeader, sessionCookie } from '../caller/browser.ts';

/** The ways to authenticate. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_live_…',
    description:
      'An API key. Each operation names the scope that the key needs; generators read it as the role of the requirement.',
  },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The cookie of a browser session.' },
  csrfToken: { type: 'apiKey', in: 'header', name: csrfHeader, description: 'The value of the cookie flow_csrf.' },
} as const satisfies Record<string, oas31.SecuritySchemeObject>;

/**
 * The alternatives of authentication. If the endpoint requires a scope, it is listed as a role of the key: OpenAPI 3.1
 * allows roles for every type of scheme, and generators ignore them. Writes of a session also send the CSRF token.
 */
export function securityOf({ access, method }: Endpoint): Record<string, string[]>[] {
  if (access === 'public') return [];
  const session = { session: [], ...(method !== 'GET' && { csrfToken: [] }) };
  if (access === 'session' || access === 'administrator') return [session];
  return [{ apiKey: access === 'authenticated' ? [] : [access] }, session];
}

/** Who may call an endpoint, as text. */
export function accessOf(endpoint: Endpoint): string {
  const { access, guests = false } = endpoint;
  if (access === 'public') return 'No authentication.';
  if (access === 'authenticated') return 'Accepts every API key, even one without scopes, and every browser session.';
  if (access === 'session') return 'Requires a browser session; API keys are rejected with 401.';
  if (access === 'administrator')
    return 'Requires a browser session of an owner or admin; API keys are rejected with 401.';
  const own = guests ? '; GUEST for tasks that are theirs' : '';
  return `Scope: \`${access}\`. A browser session needs no scope, but one of these roles: ${userRoles.filter((role) => mayCall(role, endpoint)).join(', ')}${own}.`;
}
