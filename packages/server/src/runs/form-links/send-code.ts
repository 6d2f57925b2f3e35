import { createHmac, randomInt } from 'node:crypto';
import { mailLink } from '../../access/links/link-mail.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest, tooManyRequests, unavailable } from '../../api-error.ts';
import { oneLine } from '../../one-line.ts';
import { beginWriting } from '../../organization/moves/ensure-served.ts';
import type { UsableFormLink } from '../queries/find-form-link.ts';
import { codeMinutes, codesPerHour, putCode } from '../queries/form-link-codes.ts';

const hourSeconds = 3_600;

/**
 * Mails a new code to the person that a form link is for; the code before does not work any more. Throws a 400 if the
 * service sends no mail, a 503 if the mail was not accepted, and a 429 after too many codes. Must not be called in a
 * transaction.
 */
export async function sendCode(
  { inTransaction, ports }: Pick<RequestContext, 'inTransaction' | 'ports'>,
  link: UsableFormLink,
  token: string,
): Promise<void> {
  if (!ports.smtp)
    throw badRequest(
      'validation_failed',
      'The service sends no mail, and so no code; ask who sent the link for another one.',
    );
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const isPut = await inTransaction(async (em) => {
    await beginWriting(em, link.organizationId);
    return putCode(em, link, hashCode(token, code));
  });
  if (!isPut) {
    throw tooManyRequests(
      'too_many_attempts',
      `${codesPerHour} codes were sent within an hour; use the last one, or try again in an hour.`,
      hourSeconds,
    );
  }
  const organization = oneLine(link.organizationName);
  const error = await mailLink(ports.smtp, {
    to: link.email,
    subject: `Your code for the form of ${organization}`,
    why: `Enter this code to open the form of ${organization}:`,
    code,
    rules: [
      `The code works once, within ${codeMinutes} minutes.`,
      'If you did not ask for it, ignore this mail, and do not pass the code on.',
    ],
  });
  if (error !== null) throw unavailable('The code could not be mailed; try again later.', { cause: error });
}

/** What is stored of a code. Without the token, which is stored nowhere, nobody can try all codes against it. */
export function hashCode(token: string, code: string): Buffer {
  return createHmac('sha256', token).update(code).digest();
}
