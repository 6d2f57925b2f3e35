import { contract, type Contract, type Response } from '@runward/contract';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';

type SigningSecret = Response<Contract['organization']['signingSecret']>;

/** What has a signing secret, as the pages show it: the organization, or a webhook. */
export interface Signer {
  /** The path of the page of the secret. */
  readonly path: string;
  readonly title: string;
  readonly section: NonNullable<ConsoleView['section']>;
  /** What is above the secret: the way back, and what the secret signs. */
  readonly lead: Child;
  read(): Promise<SigningSecret>;
  rotate(body: { readonly overlapHours: number }): Promise<SigningSecret>;
}

/** The organization, whose secret signs the deliveries of all webhooks without one of their own. */
export function organizationAsSigner({ api }: ConsoleRequest): Signer {
  return {
    path: consolePaths.secret,
    title: 'Signing secret',
    section: 'secret',
    lead: html`<p class="lead">
      The deliveries of all webhooks without a secret of their own are signed with this secret.
    </p>`,
    read: () => call(api, contract.organization.signingSecret),
    rotate: (body) => call(api, contract.organization.rotateSigningSecret, { body }),
  };
}
