import { t } from '@lingui/core/macro';
import css from './ScreenLoading.module.css';
import { Skeleton } from './Skeleton.tsx';

/** Shown while the code of a screen loads. */
export function ScreenLoading() {
  return (
    <div className={`page stack ${css.loading}`} aria-busy="true">
      <p className="sr">{t`Loading`}</p>
      <p>
        <Skeleton>{30}</Skeleton>
      </p>
      <p>
        <Skeleton>{10}</Skeleton>
      </p>
    </div>
  );
}
