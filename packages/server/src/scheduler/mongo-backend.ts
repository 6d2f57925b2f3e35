import { MongoJobRepository } from '@agendajs/mongo-backend';
import { MongoClient, MongoServerError } from 'mongodb';
import { withDeadline } from '../deadline.ts';
import type { JobStore } from './job-store.ts';

const collectionName = 'runward_jobs';
const openMs = 10_000;
const closeMs = 1_000;
const duplicateKey = 11_000;

/**
 * Opens the collection `runward_jobs` in the MongoDB database that the URL names, or in `runward` by default. Throws if
 * the server does not respond within 10 s.
 */
export async function openMongoBackend(url: string): Promise<JobStore> {
  const client = new MongoClient(url, {
    appName: 'runward-jobs',
    maxPoolSize: 3,
    readPreference: 'primary',
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    socketTimeoutMS: 5_000,
    waitQueueTimeoutMS: 5_000,
    // Agenda polls again within a second. A call that the driver retries would take twice as long.
    retryReads: false,
    retryWrites: false,
  });
  let connectionsInUse = 0;
  client.on('connectionCheckedOut', () => (connectionsInUse += 1));
  client.on('connectionCheckedIn', () => (connectionsInUse -= 1));
  // Without a listener, a lost connection would end the process. Callers see the failure on their own call.
  client.on('error', () => {});
  const close = async () => {
    await withDeadline(
      closeMs,
      client.close().catch(() => {}),
    );
  };

  const database = client.db(namesDatabase(url) ? undefined : 'runward');
  const collection = database.collection(collectionName);
  // The unique index keeps processes that start together from creating a job twice. Creating it again does nothing.
  const createIndexes = () =>
    collection.createIndexes([
      { key: { name: 1, type: 1 }, name: 'one_row_per_job', unique: true },
      { key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1 }, name: 'next_job' },
    ]);
  const repository = new MongoJobRepository({
    mongo: database,
    db: { collection: collectionName },
    ensureIndex: false,
  });
  const save = repository.saveJob.bind(repository);
  // A server that came back empty has also lost its indexes.
  repository.saveJob = async (job, options) => {
    await createIndexes();
    try {
      return await save(job, options);
    } catch (error) {
      // Another process has just created the row; the second attempt finds it.
      if (error instanceof MongoServerError && error.code === duplicateKey) return save(job, options);
      throw error;
    }
  };
  const connect = async () => {
    await client.connect();
    await createIndexes();
    // Opens no connection: the repository only stores a reference to the collection.
    await repository.connect();
  };
  try {
    // The driver's own timeouts do not cover the DNS lookup that mongodb+srv begins with.
    await withDeadline(openMs, connect(), () => {
      throw new Error(`MongoDB did not respond within ${openMs / 1_000} s; check JOBS_URL.`);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { repository, isBusy: () => connectionsInUse > 0, close };
}

/** A connection string may list several hosts, which the URL parser of the platform rejects. */
function namesDatabase(url: string): boolean {
  return /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/.test(url);
}
