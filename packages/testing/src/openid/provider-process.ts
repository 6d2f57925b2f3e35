import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider, type ClientMetadata, type JWK } from 'oidc-provider';

/** A command for this program, as the body of `POST /control`. */
export type ProviderCommand =
  | {
      readonly client: {
        readonly id: string;
        readonly secret: string;
        readonly redirectUri: string;
        readonly logoutUri: string;
      };
    }
  | { readonly account: { readonly subject: string; readonly claims: Readonly<Record<string, unknown>> } }
  /** Who signs in next, without being asked. */
  | { readonly next: string }
  | { readonly rotateKeys: true };

/**
 * An OpenID Connect provider (oidc-provider) as a separate program: `node provider-process.ts PORT`. It asks for no
 * password and signs in the account that the last command named.
 */
const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const accounts = new Map<string, Readonly<Record<string, unknown>>>();
const clients: ClientMetadata[] = [];
let keys: JWK[] = [];
let next = '';
let provider: Provider;

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

/** Makes the provider anew, with the clients and keys of now. What it has issued stays valid. */
function renew(): void {
  provider = new Provider(issuer, {
    clients,
    jwks: { keys },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: async (_, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...accounts.get(subject) }),
    }),
    // Nobody is asked whether a client may have the claims.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    // Its own dispatcher rejects loopback, where the service is.
    fetch: (url, options) => {
      const { method, headers, body, signal, redirect } = options ?? {};
      return fetch(url, { method, headers, body, signal, redirect } as RequestInit);
    },
  });
}

async function control(command: ProviderCommand): Promise<void> {
  if ('account' in command) accounts.set(command.account.subject, command.account.claims);
  else if ('next' in command) ({ next } = command);
  else if ('rotateKeys' in command) {
    keys = [await newKey()];
    renew();
  } else {
    const { id, secret, redirectUri, logoutUri } = command.client;
    clients.push({
      client_id: id,
      client_secret: secret,
      redirect_uris: [redirectUri],
      backchannel_logout_uri: logoutUri,
      backchannel_logout_session_required: true,
    });
    renew();
  }
}

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/control') {
    await control(JSON.parse(await text(req)) as ProviderCommand);
    res.end();
  } else if (req.url?.startsWith('/interaction/')) {
    await provider.interactionFinished(req, res, { login: { accountId: next } });
  } else {
    await provider.callback()(req, res);
  }
}

// It warns of what matters only where people use it.
console.warn = console.info = () => {};
keys = [await newKey()];
renew();
createServer((req, res) => {
  respond(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
}).listen(port, '127.0.0.1', () => process.send?.('listening'));
