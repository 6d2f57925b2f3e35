import { z } from 'zod';

/** What a response with a new link says of the mail with it. */
export const mailing = {
  mailed: z
    .boolean()
    .describe(
      'Whether the mail server has accepted a mail with the link. If not, hand it over in another way: the service sends no mail, or ' +
        'the mail was not accepted.',
    ),
  mailError: z
    .string()
    .nullable()
    .describe(
      'Why the mail server did not accept the mail; null if it did, or if the service sends no mail. A repetition of the request ' +
        'while the mail is being sent gets the link, and here that the outcome is not known yet.',
    ),
};
