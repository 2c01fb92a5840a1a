/** Receives what other apps share, in the service worker: files are stored on the device before the app opens. */
import { withStores } from '../device/worker-database.ts';
import { newSharedFile } from './new-shared-file.ts';
import { SHARE_PATH, SHARED_FILES_FIELD } from './share-target.ts';

const TEXT_FIELDS = ['title', 'text', 'url'] as const;
/** A longer text goes into the fragment, which the server never receives. */
const MAX_TEXT_CHARACTERS = 500;
const MAX_FRAGMENT_CHARACTERS = 100_000;

function textsOf(form: FormData): URLSearchParams {
  const texts = new URLSearchParams();
  for (const name of TEXT_FIELDS) {
    const value = form.get(name);
    if (typeof value === 'string' && value !== '') texts.set(name, value.slice(0, MAX_TEXT_CHARACTERS));
  }
  return texts;
}

/** A text that is too long for the query, such as a list of tenders; '' for others. */
function fragmentOf(form: FormData): string {
  const text = form.get('text');
  if (typeof text !== 'string' || text.length <= MAX_TEXT_CHARACTERS) return '';
  return `#${encodeURIComponent(text.slice(0, MAX_FRAGMENT_CHARACTERS).toWellFormed())}`;
}

/**
 * Stores the files of a share and answers with the page that shows them; a share without files with the page for texts.
 * What cannot be stored is not lost silently: the page says so. `now` is in milliseconds.
 */
export async function receiveShare(request: Request, now: number): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const root = SHARE_PATH.exec(pathname)?.groups?.root ?? '';
  const open = (path: string) => Response.redirect(`${origin}${root}${path}`, 303);
  const form = await request.formData().catch(() => null);
  if (!form) return open('/shared-files?problem=lost');
  const files = form
    .getAll(SHARED_FILES_FIELD)
    .filter((each) => typeof each !== 'string')
    .filter(({ name, size }) => name !== '' || size > 0);
  if (files.length === 0) return open(`/share?${textsOf(form)}${fragmentOf(form)}`);
  try {
    const rows = await Promise.all(files.map((file) => newSharedFile(file, now)));
    await withStores(
      ['sharedFiles'],
      'readwrite',
      async ({ sharedFiles }) => {
        for (const row of rows) sharedFiles.put(row);
      },
      true,
    );
    return open('/shared-files');
  } catch {
    return open('/shared-files?problem=storage');
  }
}
