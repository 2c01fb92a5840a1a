import { t } from '@lingui/core/macro';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useShownLocation } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { useIsPrinting } from '../../ui/display/useIsPrinting.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { Bidding } from './Bidding.tsx';
import { ClosingPanel } from './ClosingPanel.tsx';
import { LastChangeNote, OtherSourcesNote } from './corrigenda/LastChangeNote.tsx';
import { type DocumentsAction, DownloadBar, DownloadPanel } from './documents/DocumentActions.tsx';
import { Documents } from './documents/Documents.tsx';
import { TenderKeyFacts } from './facts/TenderKeyFacts.tsx';
import { tenderTabOfHash } from './labels.ts';
import { Overview } from './Overview.tsx';
import css from './TenderView.module.css';

/** Height of the bar that covers the top of the page. */
const TOP_BAR_PX = 60;

/** The facts of all tabs, for printing. */
function PrintedFacts({ tender, now }: { tender: Tender; now: Date }) {
  return (
    <>
      <Bidding tender={tender} now={now} />
      <Overview tender={tender} />
    </>
  );
}

interface TenderViewProps {
  tender: Tender;
  now: Date;
  backLabel: string;
  onBack: () => void;
  /** Renders the other buttons: icons over labels in the side column, icons in a phone's bottom bar. */
  renderActions: (look: 'stacked' | 'icon') => ReactNode;
  documents: DocumentsAction;
  /** The checklist, shown in the tab of this name. */
  checklist: ReactNode;
  /** What the documents say, shown in their tab. */
  reading?: ReactNode;
  /** Where portal and documents differ, shown above the tabs. */
  contradictions?: ReactNode;
  /** Loads the checklist's code. */
  onChecklist: () => void;
  /** Opens the access dialog or requests the documents. */
  onDocuments: () => void;
  /** Content below the tabs. */
  children?: ReactNode;
}

/** Scrolls to a part of the page, unless it already begins in the upper half of the screen. */
function bringIntoView(element: HTMLElement | null): void {
  if (!element) return;
  const { top } = element.getBoundingClientRect();
  if (top < TOP_BAR_PX || top > window.innerHeight / 2) element.scrollIntoView();
}

/**
 * The tender page. The tab is in the address, so a tab can be linked. When printed, all facts are below each
 * other, and the checklist has its own sheet.
 */
export function TenderView(props: TenderViewProps) {
  const { tender, now, backLabel, onBack, renderActions, documents, checklist, onChecklist, onDocuments, children } =
    props;
  const { reading, contradictions } = props;
  const location = useLocation();
  const navigate = useNavigate();
  const { hash } = useShownLocation();
  const tab = tenderTabOfHash(hash);
  const tabs = useRef<HTMLElement>(null);
  const isPrinting = useIsPrinting();

  // The router scrolls too early when the tender is still loading.
  useEffect(() => {
    if (hash === '#changes') document.getElementById('changes')?.scrollIntoView();
    else if (hash !== '') bringIntoView(tabs.current);
  }, [hash]);

  const select = (id: string) =>
    void navigate({ hash: id }, { replace: true, state: location.state, preventScrollReset: true });

  return (
    <>
      <div className={css.columns}>
        <article className={css.tender}>
          <TenderKeyFacts tender={tender} now={now} backLabel={backLabel} onBack={onBack} />
          {contradictions}
          <Suspense>
            <Panel className={css.tabs} ref={tabs}>
              {isPrinting && tab !== 'checklist' ? (
                <PrintedFacts tender={tender} now={now} />
              ) : (
                <Tabs
                  label={t`Tender`}
                  selected={tab}
                  onSelect={select}
                  tabs={[
                    {
                      id: 'overview',
                      label: t`Overview`,
                      panel: <Overview tender={tender} />,
                    },
                    {
                      id: 'documents',
                      label: t`Documents`,
                      panel: (
                        <>
                          {reading}
                          <Documents tender={tender} action={documents} />
                        </>
                      ),
                    },
                    { id: 'checklist', label: t`Checklist`, panel: checklist, prepare: onChecklist },
                    { id: 'bidding', label: t`Bidding Details`, panel: <Bidding tender={tender} now={now} /> },
                  ]}
                />
              )}
            </Panel>
          </Suspense>
          {children}
        </article>
        <Suspense>
          <aside className={css.side} aria-label={t`Closing and documents`}>
            <Panel stack>
              <ClosingPanel tender={tender} now={now} scale="page" />
              <LastChangeNote tender={tender} now={now} />
              <OtherSourcesNote tender={tender} />
              <DownloadPanel documents={documents} actions={renderActions('stacked')} onDocuments={onDocuments} />
            </Panel>
          </aside>
        </Suspense>
      </div>
      <DownloadBar documents={documents} actions={renderActions('icon')} onDocuments={onDocuments} />
    </>
  );
}
