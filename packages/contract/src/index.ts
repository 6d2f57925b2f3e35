export { contract, type Contract, type GroupName, type Operation } from './contract.ts';
export {
  parameterNames,
  type Access,
  type Body,
  type BodyInput,
  type Endpoint,
  type Group,
  type Method,
  type Params,
  type PathParameter,
  type Query,
  type QueryInput,
  type Response,
} from './endpoint.ts';
export { errorBody, errorNames, type ErrorBody, type ErrorStatus } from './errors.ts';
export {
  deliveryPayload,
  eventData,
  eventNames,
  eventRetentionDays,
  type DeliveryPayload,
  type EventName,
} from './events.ts';
export { fieldTypes, type Field, type FieldType, type FieldValue } from './fields.ts';
export { maximumPageSize, type Page } from './page.ts';
export { taskStatuses, type TaskStatus } from './run-tasks.ts';
export { runStatuses, type RunStatus } from './runs.ts';
export { resourceModes, scopes, type ResourceMode, type Scope } from './scopes.ts';
export { plans } from './organization.ts';
