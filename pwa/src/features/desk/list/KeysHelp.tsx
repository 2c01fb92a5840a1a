import { t } from '@lingui/core/macro';
import { Dialog } from '../../../ui/Dialog.tsx';
import css from './DeskList.module.css';

/** What keys of a page can reach: rows that open, and a search. */
export interface KeysOfPage {
  rows: boolean;
  search: boolean;
}

/** The keys of a list. */
export function KeysHelp({ rows, search, onClose }: KeysOfPage & { onClose: () => void }) {
  const keys = [
    ...(rows
      ? [
          ['j', t`next row`],
          ['k', t`row before`],
          ['Enter', t`open the row`],
          ['e', t`main act of the opened row`],
        ]
      : []),
    ...(search ? [['/', t`search`]] : []),
    ['Esc', rows ? t`close the row or the dialog` : t`close the dialog`],
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
