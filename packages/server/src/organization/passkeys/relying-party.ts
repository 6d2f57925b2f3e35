import type { RequestContext } from '../../access/request-context.ts';

/** The service, as browsers and authenticators know it. */
export interface RelyingParty {
  /** The host name to which passkeys are bound. */
  readonly id: string;
  /** The origin of the pages that may use them. */
  readonly origin: string;
}

/** The name of the service that authenticators show. */
export const serviceName = 'Runward';

/** The service that `BASE_URL` names. */
export function relyingParty({ baseUrl }: Pick<RequestContext['ports'], 'baseUrl'>): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

/** A member, as authenticators remember them. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** Whether the page that used the authenticator was in a frame of another site, which the library lets pass. */
export function isFramed(clientDataJSON: string): boolean {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown };
  return crossOrigin === true;
}
