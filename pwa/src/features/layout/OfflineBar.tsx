import { Icon } from '../../ui/display/Icon.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import css from './OfflineBar.module.css';

/** The offline message. Always mounted, so that screen readers announce the change. */
export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={css.bar}>
          <Icon name="offline" small />
          No signal. You can still use saved tenders.
        </p>
      )}
    </div>
  );
}
