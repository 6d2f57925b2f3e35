/** The names of all components: types of generated clients. A name may be added, but not renamed or removed. */
export const componentNames = `
  Activity ActivityActor ActivityPage ActorType AnnounceUpload ApiKey ApiKeyCaller ApiKeyPage ApiKeyRevokedReason ApiKeyStatus
  ApprovalDecision ApprovalDecisionType ApprovalEventData ApprovalGrantedEvent ApprovalPolicy ApprovalRejectedEvent
  ApprovalRequestedEvent ApprovalStatus ApprovalTrailItem ApprovalTrailItemPage ApprovalTrailType ApproveTask ArchiveRuns
  ArchivedRuns AssignAction AutoFilledField
  BackgroundImage BadRequestError BulkDeleteRows BulkLaunch BulkLaunchItem BulkLaunchResult BulkRow BulkUpdateRows BulkUpdateTasks
  BulkUpdatedTasks
  Caller CallerApiKey CallerOrganization CallerUser CellChange CellValue ChangePassword Column ColumnType Columns ComparedVersion
  CompleteEntry ConfirmUpload CreateApiKey CreateColumn CreateDataSource CreateDataSourceColumn CreateField CreateFolder
  CreateGroup CreatePhase CreateRow CreateRows CreateRule CreateSavedView CreateTask CreateTemplate CreateTemplateShare CreateUser
  CreateVariable CreateWebhook CreatedRows
  DataSource DataSourcePage DecidedTask DeleteTasks DeletedRows Delivery DeliveryAttempt DeliveryPage DeliveryPayload
  DeliveryStatus Dependency DependencyPage DependencyTree DirectTaskStatus DirectUpload DownloadFiles DraftAssignAction DraftField
  DraftHideAction DraftPhase DraftRuleAction DraftRuleCondition DraftRuleFieldSource DraftShowAction DraftTask DroppedPart
  DueOrigin DueRule DuplicateTasks DuplicateTemplate
  EntryStatus ErrorBody EventFeed EventName ExecutionEntry ExecutionEntryPage
  Field FieldOption FieldSummary FieldType FieldValue FieldValueInput FieldValueRevision FieldValueRevisionPage
  FieldValueSubmission File FileDownload FilePage Folder FolderPage FollowedVersion ForbiddenError
  Group GroupPage
  HandOverResult HandOverTasks Health HideAction
  ImportTemplate ImportedTemplate InternalServerErrorError
  LaunchResult LaunchRun LaunchStatus LaunchTemplateRun LaunchedRun Link LinkRows
  MigrateRun MigrateRunToLatest MigratedStatus MigratedTask MigratedTasks Migration MoveField
  NewApiKey NewTemplateShare NotFoundError
  OpenApiDocument OpenEntry OpenTask OpenTaskPage Organization
  PausedReason PayloadTooLargeError PaymentRequiredError Phase PhasePage Plan PreconditionFailedError PreviewSavedView
  PublishTemplate PublishedField PublishedFieldPage
  RangeNotSatisfiableError Reason ReasonCode RejectTask RelatedRow Relation RelationConfig RelationConfigInput RelationDirection
  RelationPage ReopenEntry ReorderColumns ReorderRules ReplaceDraft ReplaceDraftField ReplaceDraftPhase ReplaceDraftRule
  ReplaceDraftTask ReplaceDraftVariable ReplayDeliveries ReplayResult ResourceMode RotateSigningSecret Row RowChange RowChangePage
  RowChangeType RowPage Rule RuleAction RuleCondition RuleFieldSource RuleMatch RuleOperator RuleVariableSource RulesSync
  RulesSyncFailure RulesSyncStatus Run RunCancelledEvent RunCompletedEvent RunCounts RunEventData RunExplanation RunFilterSet
  RunInclude RunListItem RunPage RunReasons RunReopenedEvent RunSort RunStartedEvent RunStatus RunTask RunTaskApproval RunVariable
  RunVariablePage
  SavedView SavedViewPage ScanResult ScanStatus Scope ServiceUnavailableError Session SessionOrganization SetDependencies
  SetTaskAssignee SetTaskDueDate SetTaskStatus SetVariableAction SharedField SharedPhase SharedTask SharedTemplate SharedVariable
  ShowAction SignIn SigningSecret StatusConfig StatusOption SubmitFieldValue SubmitFieldValues SubmittedValue
  Task TaskApproval TaskApprovalSettings TaskChanges TaskCompletedEvent TaskDependencies TaskDependenciesPage TaskEventData
  TaskExplanation TaskList TaskListItem TaskListItemPage TaskOverdueEvent TaskPage TaskStatus TaskSummary TaskSummaryPage Template
  TemplateAsset TemplateAssetUrl TemplateChange TemplateChangeEntity TemplateChangeKind TemplateDiff TemplateDraft TemplateMode
  TemplatePage TemplateShare TemplateSharePage TemplateShareStatus TemplateStatus TemplateVersion TemplateVersionDocument
  TemplateVersionPage TestWebhook Thumbnail TooManyRequestsError
  UnarchiveRuns UnarchivedRuns UnauthorizedError UnlinkRows UpdateColumn UpdateDataSource UpdateField UpdateFolder UpdateGroup
  UpdateOrganization UpdatePhase UpdateRow UpdateRule UpdateRun UpdateSavedView UpdateTask UpdateTasks UpdateTemplate
  UpdateTemplateShare UpdateUser UpdateVariable UpdateWebhook UpdatedRows UploadBackgroundImage UploadTemplateAsset UploadUrl User
  UserCaller UserPage UserRole UserStatus UserStatusFilter
  Variable VariablePage VariableType VariableValue ViewVisibility
  Webhook WebhookPage
`
  .trim()
  .split(/\s+/);
