import { t } from '@lingui/core/macro';
import { Dialog } from '../../../ui/Dialog.tsx';
import css from './DeskList.module.css';

/** The keys of the desk's lists. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const keys = [
    ['j', t`next row`],
    ['k', t`row before`],
    ['Enter', t`open the row`],
    ['e', t`main act of the opened row`],
    ['/', t`search`],
    ['Esc', t`close the row or the dialog`],
    ['?', t`these keys`],
  ];
  return (
    <Dialog title={t`Keys of this page`} onClose={onClose}>
      <dl className={css.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
