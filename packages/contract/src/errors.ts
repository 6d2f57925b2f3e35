import { z } from 'zod';
import { component } from './component.ts';
import { errorCode } from './error-codes.ts';

/** Reason phrases by status, as in the `error` property of the error body (spec: Errors). */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  416: 'Range Not Satisfiable',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
} as const;

/** The status of an error response. */
export type ErrorStatus = keyof typeof errorNames;

/** The body of every response with a status of 400 or higher (spec: Error body). */
export const errorBody = component('ErrorBody', 'The body of every response with a status of 400 or higher.', {
  statusCode: z.int().min(400).max(599).describe('Equals the HTTP status.'),
  error: z.string().describe('Stable reason phrase of the status, like `Not Found`.'),
  message: z
    .union([z.string(), z.array(z.string())])
    .describe(
      'What is wrong and what to do. An array with one string per problem, each beginning with the path of the property, if the ' +
        'input is invalid.',
    ),
  timestamp: z.iso.datetime().describe('When the error occurred.'),
  path: z.string().describe('Path of the request, without the query string.'),
  code: errorCode,
  capability: z
    .string()
    .optional()
    .describe(
      'Present with status 402: what the plan lacks: `publicApi`, `apiKeys`, `webhooks`, or more `dataSourceRows`.',
    ),
  retryAfter: z
    .int()
    .min(0)
    .optional()
    .describe('Present with status 429 and 503: seconds to wait, as in the header `Retry-After`.'),
});

/** The body of an error response. */
export type ErrorBody = z.output<typeof errorBody>;
