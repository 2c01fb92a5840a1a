import type { Tender } from '@nivida/contract/tenders/tender';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Panel } from '../../../ui/display/Panel.tsx';
import { useShownLocation } from '../../../ui/hydration.ts';
import { Tabs } from '../../../ui/Tabs.tsx';
import { ClosingMovedNote } from '../corrigenda/ClosingMovedNote.tsx';
import { tenderTabOfHash } from '../labels.ts';
import { Bidding } from './Bidding.tsx';
import { ClosingPanel } from './ClosingPanel.tsx';
import { type DocumentsAction, DownloadBar, DownloadPanel } from './DocumentActions.tsx';
import { Documents } from './Documents.tsx';
import { Overview } from './Overview.tsx';
import { TenderKeyFacts } from './TenderKeyFacts.tsx';
import css from './TenderView.module.css';

interface TenderViewProps {
  tender: Tender;
  now: Date;
  backLabel: string;
  onBack: () => void;
  /** The other buttons: icons over labels in the side column, icons in a phone's bottom bar. */
  renderActions: (look: 'stacked' | 'icon') => ReactNode;
  documents: DocumentsAction;
  /** Opens the access dialog or requests the documents. */
  onDocuments: () => void;
}

/** The tender page. The tab is in the URL, so a tab can be linked. */
export function TenderView({ tender, now, backLabel, onBack, renderActions, documents, onDocuments }: TenderViewProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const tab = tenderTabOfHash(useShownLocation().hash);

  // The router scrolls too early when the tender is still loading.
  useEffect(() => {
    if (location.hash === '#changes' && tab === 'bidding') document.getElementById('changes')?.scrollIntoView();
  }, [location.hash, tab]);

  const select = (id: string) =>
    void navigate({ hash: id }, { replace: true, state: location.state, preventScrollReset: true });

  return (
    <>
      <div className={css.columns}>
        <article className={css.tender}>
          <TenderKeyFacts tender={tender} now={now} backLabel={backLabel} onBack={onBack} />
          <Panel className={css.tabs}>
            <Tabs
              label="Tender"
              selected={tab}
              onSelect={select}
              tabs={[
                { id: 'overview', label: 'Overview', panel: <Overview tender={tender} /> },
                {
                  id: 'documents',
                  label: 'Documents',
                  panel: <Documents tender={tender} action={documents} />,
                },
                { id: 'bidding', label: 'Bidding Details', panel: <Bidding tender={tender} now={now} /> },
              ]}
            />
          </Panel>
        </article>
        <aside className={css.side} aria-label="Closing and documents">
          <Panel stack>
            <ClosingPanel tender={tender} now={now} />
            <ClosingMovedNote tender={tender} now={now} />
            <DownloadPanel documents={documents} actions={renderActions('stacked')} onDocuments={onDocuments} />
          </Panel>
        </aside>
      </div>
      <DownloadBar documents={documents} actions={renderActions('icon')} onDocuments={onDocuments} />
    </>
  );
}
