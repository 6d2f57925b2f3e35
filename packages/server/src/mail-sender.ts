import { formats } from '@runward/contract';
import { z } from 'zod';

/** Who mails come from. */
export interface MailSender {
  /** Empty if mail programs show the address instead. */
  readonly name: string;
  readonly address: string;
}

/** A sender like `Name <a@b>` or `a@b`. */
export const mailSender = z.string().transform((text, { issues }): MailSender => {
  const [, name = '', inBrackets] = text.match(/^\s*"?([^<>"\p{Cc}]*?)"?\s*<([^<>]*)>\s*$/u) ?? [];
  const address = inBrackets ?? text.trim();
  if (isAddress(address)) return { name, address };
  const message =
    'must be an email address like runward@example.com, or a name with it like Runward <runward@example.com>';
  issues.push({ code: 'custom', input: text, message });
  return z.NEVER;
});

/** Whether a mail can be sent to a text: one email address, without what has a meaning in a header. */
export function isAddress(text: string): boolean {
  return formats.isEmail(text) && !/[\s<>(),:;"\\[\]\p{Cc}]/u.test(text);
}
