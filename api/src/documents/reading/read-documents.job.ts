import type { Job } from '../../jobs/job.ts';
import { ReadDocumentsService } from './read-documents.service.ts';

/** Every worker reads one file at a time. */
export const readDocumentsJob: Job = {
  name: 'read-documents',
  everySeconds: 10,
  run: async ({ find }) => (await find(ReadDocumentsService)).run(),
};
