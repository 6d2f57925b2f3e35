import { errorNames, type ErrorBody, type ErrorStatus } from '@runward/contract';
import { lacking } from '../../access/plan.ts';
import {
  badRequest,
  forbidden,
  headersTooLarge,
  internalError,
  methodNotAllowed,
  noSpaceLeft,
  notFound,
  organizationMoved,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
  tooManyRequests,
  unauthorized,
  unavailable,
  type ApiError,
} from '../../api-error.ts';

/** An error of each status that any endpoint can return. */
const errors: Readonly<Record<ErrorStatus, ApiError>> = {
  400: badRequest(['title: must not be empty', 'surprise: unknown property; remove it']),
  401: unauthorized('session_expired', 'Authentication required: the session has expired; sign in again.'),
  402: lacking({ plan: 'PRO' }, 'publicApi'),
  403: forbidden('insufficient_scope', 'The API key lacks the scope runs:write. Use a key that has it.'),
  404: notFound('Run'),
  405: methodNotAllowed('PUT'),
  412: preconditionFailed(
    'The run has changed since version 12; read it again and repeat the request with its new ETag.',
  ),
  413: payloadTooLarge('1 MB'),
  416: rangeNotSatisfiable(1024),
  421: organizationMoved(),
  429: tooManyRequests('rate_limited', 'Rate limit of 300 requests per minute exceeded; retry in 17 s.', 17),
  431: headersTooLarge(),
  500: internalError(),
  507: noSpaceLeft(),
  503: unavailable('The database is not available; retry in a moment.'),
};

/** The body of a response with a status, as an example. */
export function errorExample(status: ErrorStatus): ErrorBody {
  const { code, messages, extra } = errors[status];
  return {
    statusCode: status,
    error: errorNames[status],
    message: typeof messages === 'string' ? messages : [...messages],
    timestamp: '2026-03-02T09:45:00.000Z',
    // A request whose headers were not read has no path.
    path: status === 431 ? '' : '/runs/0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f',
    code,
    ...extra,
  };
}
