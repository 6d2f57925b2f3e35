import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { json, openServer, type TestHttpServer } from '../http-server.ts';

/** What a provider does otherwise than it should. */
export interface Misbehaviour {
  /** Replaces claims of the ID token; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that it does not publish. */
  readonly foreignKey?: boolean;
  /** Responds to every request but discovery in this way. */
  readonly status?: number;
  /** Accepts the connection and never responds. */
  readonly silent?: boolean;
  /** The issuer that it claims to be. */
  readonly issuer?: string;
}

/** An OpenID Connect provider that can misbehave. It signs in whoever its script says. */
export interface ScriptedProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly received: TestHttpServer['received'];
  /** What it does from now on. */
  script: Misbehaviour;
  /** The parameters with which it sends a browser back, for those with which it was sent. */
  respondTo(authorizationUrl: string, claims: JWTPayload): URLSearchParams;
  /** A signed token with these claims. */
  sign(claims: JWTPayload, options?: { foreignKey?: boolean; type?: string }): Promise<string>;
}

/** Starts a scripted provider on loopback. Disposing it stops it. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const [own, foreign] = [await newKey(), await newKey()];
  const codes = new Map<string, { readonly challenge: string; readonly nonce: string; readonly claims: JWTPayload }>();
  const sign: ScriptedProvider['sign'] = async (claims, { foreignKey = false, type = 'JWT' } = {}) => {
    const { privateKey } = foreignKey ? foreign : own;
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: own.jwk.kid, typ: type }).sign(privateKey);
  };
  const tokens = async (form: URLSearchParams) => {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || code.challenge !== challenge) return null;
    const at = Math.floor(Date.now() / 1000);
    const standard = { iss: provider.issuer, aud: 'runward', iat: at, exp: at + 300, nonce: code.nonce };
    const claims = { ...standard, ...code.claims, ...provider.script.claims };
    const { foreignKey = false } = provider.script;
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: await sign(claims, { foreignKey }) };
  };
  const server = await openServer(async (res, { url, body }) => {
    const { status, silent, issuer = provider.issuer } = provider.script;
    if (silent === true) return;
    if (url === '/.well-known/openid-configuration') json(res, 200, metadataOf(issuer));
    else if (status !== undefined) json(res, status, {});
    else if (url === '/jwks') json(res, 200, { keys: [own.jwk] });
    else {
      const issued = await tokens(new URLSearchParams(body));
      if (issued) json(res, 200, issued);
      else json(res, 400, { error: 'invalid_grant' });
    }
  });
  const provider: ScriptedProvider = {
    issuer: server.baseUrl,
    received: server.received,
    script: {},
    respondTo: (authorizationUrl, claims) => {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', nonce: asked.get('nonce') ?? '', claims });
      return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: server.baseUrl });
    },
    sign,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return provider;
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function newKey(): Promise<{
  readonly privateKey: CryptoKey;
  readonly jwk: Record<string, unknown> & { kid: string };
}> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), use: 'sig', alg: 'ES256' } };
}
