import { setTimeout as pause } from 'node:timers/promises';
import { MongoJobRepository } from '@agendajs/mongo-backend';
import { MongoClient, MongoServerError } from 'mongodb';
import type { JobStore } from './job-store.ts';

const collectionName = 'runward_jobs';
const openMs = 10_000;
const closeMs = 1_000;
const duplicateKey = 11_000;

/**
 * Opens the collection `runward_jobs` of a MongoDB, in the database that the URL names or in `runward`. Throws where the server does
 * not answer, within 10 s.
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
    // The clock asks again in a second; a call repeated by the driver would last twice as long.
    retryReads: false,
    retryWrites: false,
  });
  let underWay = 0;
  client.on('connectionCheckedOut', () => (underWay += 1));
  client.on('connectionCheckedIn', () => (underWay -= 1));
  // An event without a listener would end the process. Whoever uses a connection hears of its loss himself.
  client.on('error', () => {});
  const close = async () => {
    await Promise.race([client.close().catch(() => {}), pause(closeMs, undefined, { ref: false })]);
  };

  const database = client.db(namesDatabase(url) ? undefined : 'runward');
  const collection = database.collection(collectionName);
  // One row per name: what keeps several processes that start at once from making several. Making an index again is harmless.
  const makeIndexes = () =>
    collection.createIndexes([
      { key: { name: 1, type: 1 }, name: 'one_row_per_task', unique: true },
      { key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1 }, name: 'next_job' },
    ]);
  const repository = new MongoJobRepository({
    mongo: database,
    db: { collection: collectionName },
    ensureIndex: false,
  });
  const save = repository.saveJob.bind(repository);
  // A server that came back empty has lost its indexes too.
  repository.saveJob = async (job, options) => {
    await makeIndexes();
    try {
      return await save(job, options);
    } catch (error) {
      // Another process has just made the row; the second attempt finds it.
      if (error instanceof MongoServerError && error.code === duplicateKey) return save(job, options);
      throw error;
    }
  };
  const connect = async () => {
    await client.connect();
    await makeIndexes();
    // Only remembers the collection.
    await repository.connect();
  };
  try {
    // The driver's own bounds leave out the look-up of names, which mongodb+srv needs before everything else.
    await Promise.race([connect(), late(openMs)]);
  } catch (error) {
    await close();
    throw error;
  }
  return { repository, isBusy: () => underWay > 0, close };
}

/** Several hosts may stand before the name, so that this is no URL for the platform's parser. */
function namesDatabase(url: string): boolean {
  return /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/.test(url);
}

async function late(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error(`MongoDB did not respond within ${ms / 1_000} s; check JOBS_URL.`);
}
