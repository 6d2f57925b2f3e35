// The public API. Sending, retrying and reading requests is private; no type of ofetch is visible.
export { createClient } from './client.ts';
export type { Client, EventOf } from './client-type.ts';
export type { Download } from './download.ts';
export {
  isAborted,
  isApiError,
  isAuthenticationError,
  isConnectionError,
  isFeatureLocked,
  isNotFound,
  isPermissionError,
  isPreconditionFailed,
  isRateLimited,
  isRunwardError,
  isServerError,
  isTimeout,
  isValidationError,
} from './errors/error-guards.ts';
export {
  AbortError,
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  ConnectionError,
  FeatureLockedError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  RunwardError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors/errors.ts';
export type { FileInput, UploadSource } from './files/content.ts';
export type {
  AttachedFile,
  DownloadProgress,
  FileContent,
  FileDownloadOptions,
  FileTransfers,
  SavedFile,
  SaveOptions,
  TransferOptions,
  UploadOptions,
  UploadProgress,
} from './files/options.ts';
export type { ErrorCode } from './generated/error-codes.ts';
// The models and the methods of each feature.
export type * from './generated/analytics.ts';
export type * from './generated/auth.ts';
export type * from './generated/data-sources.ts';
export type * from './generated/events.ts';
export type * from './generated/execution.ts';
export type * from './generated/files.ts';
export type * from './generated/folders.ts';
export type * from './generated/groups.ts';
export type * from './generated/health.ts';
export type * from './generated/me.ts';
export type * from './generated/openapi.ts';
export type * from './generated/portals.ts';
export type * from './generated/runs.ts';
export type * from './generated/saved-views.ts';
export type * from './generated/shared-templates.ts';
export type * from './generated/templates.ts';
export type * from './generated/users.ts';
export type * from './generated/webhooks.ts';
export type { Hook, Hooks, RequestContext, RequestErrorContext, ResponseContext, RetryContext } from './hooks.ts';
export type {
  AppInfo,
  ClientOptions,
  QueryValues,
  RawRequestOptions,
  RequestOptions,
  StaleReadOptions,
  VersionedWriteOptions,
} from './options.ts';
export type { RateLimit } from './request/rate-limit.ts';
export type { ApiResponse, Call, List, ListPage } from './types.ts';
