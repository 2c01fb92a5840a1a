import css from './ScreenLoading.module.css';
import { Skeleton } from './Skeleton.tsx';

/** Shown while the code of a screen loads. */
export function ScreenLoading() {
  return (
    <div className={`page stack ${css.loading}`} aria-busy="true">
      <p className="sr">Loading</p>
      <p>
        <Skeleton>The title of the next screen</Skeleton>
      </p>
      <p>
        <Skeleton>A line of it</Skeleton>
      </p>
    </div>
  );
}
