import { t } from '@lingui/core/macro';
import type { DocumentsTender } from '@nivida/contract/desk/documents';
import { formatAge, formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { DocumentLines } from '../../features/desk/documents/DocumentLines.tsx';
import { DropFiles } from '../../features/desk/documents/DropFiles.tsx';
import { stageByName, useRequestedTenders } from '../../features/desk/documents/desk-documents.ts';
import { requestsText, TenderFilesPanel } from '../../features/desk/documents/TenderFilesPanel.tsx';
import { UploadList } from '../../features/desk/documents/UploadList.tsx';
import { DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { factValueText, fileStateTexts, topicLabels } from '../../features/document-facts/fact-labels.ts';

const PATH = '/desk/documents';

/** `/desk/documents`: the tenders whose documents users ask for, and the files of one. */
export function DeskDocuments() {
  const tenders = useRequestedTenders();
  const now = useNow();
  return (
    <DeskList<DocumentsTender>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={tenders}
      idOf={({ id }) => String(id)}
      empty={t`No request for documents waits`}
      columns={[
        { title: t`Tender`, cell: ({ title }) => <span lang="en">{title}</span> },
        { title: t`Tender ID`, cell: ({ tender }) => tender },
        { title: t`Requests`, cell: ({ asked }) => (asked > 0 ? requestsText(asked) : t`none`) },
        {
          title: t`Since`,
          cell: ({ firstAskedAt }) => (firstAskedAt === null ? '' : formatAge(new Date(firstAskedAt), now)),
        },
        { title: t`Closes`, cell: ({ closesAt }) => formatDateTime(new Date(closesAt)) },
      ]}
      filter={<DeskSearch label={t`Tender ID, of any tender`} />}
      intro={
        <>
          <DropFiles label={t`Choose files of many tenders`} stage={stageByName}>
            {t`Drop files of many tenders here: each name begins with its tender ID, or the files are in folders of that name.`}
          </DropFiles>
          <UploadList />
        </>
      }
      detail={(id) => (
        <>
          <TenderFilesPanel id={id} />
          <DocumentLines
            id={id}
            texts={{ topics: topicLabels(), valueText: factValueText, fileTexts: fileStateTexts }}
          />
        </>
      )}
    />
  );
}
