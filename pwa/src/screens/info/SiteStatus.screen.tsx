import { t } from '@lingui/core/macro';
import { formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import type { PartState, SiteStatusResponse, StatusPart } from '@nivida/contract/site/status';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { IncidentList } from '../../features/info/status/IncidentList.tsx';
import { useSiteStatus } from '../../features/info/status/status-query.ts';
import { Button } from '../../ui/Button.tsx';
import type { Tone } from '../../ui/display/Badge.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Status } from '../../ui/display/Status.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ScreenLoading } from '../../ui/feedback/ScreenLoading.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import info from './Info.module.css';
import css from './SiteStatus.module.css';

const partName = (part: StatusPart): string =>
  ({
    database: t`App and data`,
    tenders: t`Reading of portals`,
    alerts: t`Alerts`,
    mail: t`E-mail`,
    packs: t`Tenders for offline use`,
    payments: t`Payments`,
  })[part];

const stateWord = (state: PartState): { tone: Tone; label: string } =>
  ({
    ok: { tone: 'green' as const, label: t`Works` },
    delayed: { tone: 'amber' as const, label: t`Delayed` },
    down: { tone: 'red' as const, label: t`Does not work` },
    unknown: { tone: 'gray' as const, label: t`Not known` },
  })[state];

function headline({ parts, incidents }: SiteStatusResponse): string {
  if (parts.some(({ state }) => state === 'down')) return t`Nivida does not work right now`;
  const isDisturbed = incidents?.some(({ ended_at }) => ended_at === null);
  return isDisturbed || parts.some(({ state }) => state === 'delayed') ? t`Something is delayed` : t`Everything works`;
}

/** `/status`: what works now, when each portal was last read, and the incidents of 90 days. */
export function SiteStatus() {
  const { answer, isLoading, reload } = useSiteStatus();
  return (
    <div className={`page ${info.info}`}>
      <PageMeta {...pageText(PAGES['/status'])} />
      {answer ? (
        <StatusAnswer answer={answer} />
      ) : isLoading ? (
        <ScreenLoading />
      ) : (
        <EmptyState
          heading="h1"
          title={t`The status is not known`}
          actions={<Button onClick={reload}>{t`Try Again`}</Button>}
        >
          {t`This device could not ask the server. It may have no connection.`}
        </EmptyState>
      )}
    </div>
  );
}

function StatusAnswer({ answer }: { answer: SiteStatusResponse }) {
  const { at, parts, portals, incidents } = answer;
  return (
    <>
      <header className={info.lead}>
        <h1>{t`Status`}</h1>
        <p>
          <strong>{headline(answer)}</strong>
        </p>
        <p className="muted">{t`Checked ${formatDateTime(at)}`}</p>
      </header>
      <Panel stack>
        <h2>{t`Now`}</h2>
        <dl className={css.parts}>
          {parts.map(({ part, state }) => (
            <div key={part}>
              <dt>{partName(part)}</dt>
              <dd>
                <Status {...stateWord(state)} />
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
      {portals.length > 0 && (
        <Panel stack>
          <h2>{t`Portals`}</h2>
          <dl className={css.parts}>
            {portals.map(({ portal, read_at }) => (
              <div key={portal}>
                <dt>{portalInfo(portal).name}</dt>
                <dd className="muted">{t`read ${formatDateTime(read_at)}`}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      <Panel stack>
        <h2>{t`Incidents`}</h2>
        {incidents === null && <p>{t`Earlier incidents cannot be read now.`}</p>}
        {incidents?.length === 0 && <p>{t`None in the last 90 days.`}</p>}
        {incidents && incidents.length > 0 && <IncidentList incidents={incidents} />}
      </Panel>
    </>
  );
}
