import { newLinkToken } from '../../access/links/link-token.ts';
import type { TemplateShare } from '../entities/template-share.ts';

const prefix = 'share_';

/** A new token of a share, and what is stored of the token. */
export function newShareToken(): Pick<TemplateShare, 'tokenHash' | 'tokenSuffix'> & { token: string } {
  const link = newLinkToken(prefix);
  return { ...link, tokenSuffix: link.token.slice(-4) };
}

/** The masked form of a token: the prefix, an ellipsis and the last four characters. */
export function maskedShareToken(suffix: string): string {
  return `${prefix}…${suffix}`;
}
