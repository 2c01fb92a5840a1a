import { t } from '@lingui/core/macro';
import type { FileProblem } from '@nivida/contract/desk/documents';

/** What to do with a refused file. */
export const refusalText = (problem: FileProblem): string =>
  ({
    password: t`It is locked with a password. Save it without one and attach it again.`,
    empty: t`It is empty. Load it from the portal again.`,
    'package-size': t`The package of this tender would have more than 200 MB. Remove a file that is not needed.`,
    content: t`Its content is of another type than its name says. Save it under the right type.`,
    program: t`It is a program or holds one. Such files are never attached.`,
    type: t`This type is not taken. Attach PDF, Word, Excel, pictures, CAD files or ZIP.`,
    archive: t`The ZIP cannot be opened safely. Unpack it and attach its files.`,
  })[problem];
