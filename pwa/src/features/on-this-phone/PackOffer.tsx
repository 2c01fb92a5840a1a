import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { useDatabaseState } from '../../data/device/database.ts';
import { scopeName, scopeOfState, usePacks } from '../../offline/packs/pack-status.ts';
import { savePack } from '../../offline/packs/packs.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { isUnfinished, PackProgress } from './PackProgress.tsx';
import { usePackSize } from './usePackSize.ts';
import { usePreparedState } from './usePreparedState.ts';

interface PackOfferProps {
  /** Listed name or slug; '' for a search across states. */
  state: string;
  /** The pack is fetched after the list is shown, so that they do not share the connection. */
  isListShown: boolean;
}

/**
 * Saves the state of a list on the device: automatically on an unmetered connection, otherwise by a button
 * that shows the size. Shows the progress.
 */
export function PackOffer({ state, isListShown }: PackOfferProps) {
  const scope = state === '' ? undefined : scopeOfState(state);
  const isOnline = useOnline();
  const canSave = useDatabaseState((device) => device.state !== 'unavailable');
  const { isRead, scopes } = usePacks();
  const status = scope === undefined ? undefined : scopes[scope];
  const isPrepared = usePreparedState(state, isListShown);
  const isMissing = isRead && canSave && scope !== undefined && !status && !(INDIA_SCOPE in scopes);

  if (status)
    return (
      isUnfinished(status) && (
        <Panel>
          <PackProgress status={status} />
        </Panel>
      )
    );
  if (!isMissing || isPrepared || !isListShown || !isOnline) return null;
  return (
    <Panel>
      <SaveButton scope={scope} />
    </Panel>
  );
}

/** The button that saves a scope. */
export function SaveButton({ scope }: { scope: string }) {
  const size = usePackSize(scope);
  return (
    <Button onClick={() => void savePack(scope).catch(() => undefined)}>
      {t`Save ${{ state: scopeName(scope) }} on this phone`}
      {size && ` · ${formatBytes(size.bytes)}`}
    </Button>
  );
}
