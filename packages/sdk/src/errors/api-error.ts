import { property } from '../property.ts';
import { retryAfterSeconds } from '../request/retry.ts';
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  FeatureLockedError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors.ts';

/** What was requested. */
type Requested = Pick<ApiErrorDetails, 'method' | 'path'>;

/** The error for a response whose status is not 2xx. */
export function toApiError(response: Response, text: string, request: Requested, now: number): ApiError {
  const details = readDetails(response, text, request, now);
  switch (response.status) {
    case 400:
      return new ValidationError(details);
    case 401:
      return new AuthenticationError(details);
    case 402:
      return new FeatureLockedError(details);
    case 403:
      return new PermissionError(details);
    case 404:
      return new NotFoundError(details);
    case 412:
      return new PreconditionFailedError(details);
    case 429:
      return new RateLimitError(details);
    default:
      return response.status >= 500 ? new ServerError(details) : new ApiError(details);
  }
}

// Nothing about the body is certain, because proxies send their own pages and bodies.
function readDetails(response: Response, text: string, { method, path }: Requested, now: number): ApiErrorDetails {
  const { headers, status, statusText } = response;
  const body = parse(text);
  return {
    statusCode: status,
    error: string(property(body, 'error')) ?? (statusText || 'Error'),
    code: string(property(body, 'code')),
    messages: redirectMessage(response) ?? readMessages(body),
    method,
    path: string(property(body, 'path')) ?? path,
    timestamp: string(property(body, 'timestamp')),
    requestId: headers.get('x-request-id'),
    headers,
    body,
    retryAfterSeconds: retryAfterSeconds(headers, body, now),
  };
}

function readMessages(body: unknown): readonly string[] {
  const messages = [property(body, 'message')].flat().filter((message) => typeof message === 'string');
  if (messages.length > 0) return messages;
  return [typeof body === 'string' && body !== '' ? body : 'The response contains no message.'];
}

function redirectMessage({ type, status, headers }: Response): readonly string[] | null {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return null;
  const target = headers.get('location');
  return [
    `The server redirects${target === null ? '' : ` to ${target}`}. Redirects are not followed, because they would send the ` +
      'API key to another address; check baseUrl (https instead of http, host, path prefix).',
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const line = text.replace(/\s+/g, ' ').trim();
    return line.length > 300 ? `${line.slice(0, 300)}…` : line;
  }
}

function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
