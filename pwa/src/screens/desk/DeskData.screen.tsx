import { t } from '@lingui/core/macro';
import type { DeskFileRow } from '@nivida/contract/desk/data-in';
import { formatCount, formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useParams } from 'react-router-dom';
import { DataTabs } from '../../features/desk/data-in/DataTabs.tsx';
import { useDeskFiles } from '../../features/desk/data-in/data-calls.ts';
import { FilePage } from '../../features/desk/data-in/FilePage.tsx';
import { FileStatus } from '../../features/desk/data-in/FileStatus.tsx';
import { SendFile } from '../../features/desk/data-in/SendFile.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useDeskParam } from '../../features/desk/list/useDeskParam.ts';

const PATH = '/desk/data';

/** `/desk/data`: files for import, and the page of one. */
export function DeskData() {
  const { id } = useParams();
  return id === undefined ? <Files /> : <FilePage key={id} id={id} />;
}

function Files() {
  const [page] = useDeskParam('page');
  const files = useDeskFiles(page);
  const { answer } = files;
  const pages = Number(page || 1) + (answer?.more ? 1 : 0);
  return (
    <DeskList<DeskFileRow>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      intro={
        <>
          <DataTabs />
          <SendFile />
        </>
      }
      rows={{ ...files, answer: answer && { rows: answer.rows, pages } }}
      idOf={({ id }) => id}
      empty={t`No file was sent yet`}
      columns={[
        { title: t`File`, cell: ({ name }) => name },
        { title: t`Portal`, cell: ({ portal }) => portal ?? '' },
        { title: t({ message: 'State', context: 'progress' }), cell: (file) => <FileStatus file={file} /> },
        { title: t`New`, isNumber: true, cell: ({ counts }) => counts && formatCount(counts.new) },
        { title: t`Rejected`, isNumber: true, cell: ({ counts }) => counts && formatCount(counts.rejected) },
        {
          title: t`Sent`,
          cell: ({ sent_at, sender }) => [formatDateTime(new Date(sent_at)), sender].filter(Boolean).join(' · '),
        },
      ]}
      // The row's page takes the place of the whole list.
      detail={() => null}
    />
  );
}
