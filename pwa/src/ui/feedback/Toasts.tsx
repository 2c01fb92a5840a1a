import css from './Toasts.module.css';
import { dismissToast, useToast } from './toast.ts';

/** The only live region for toasts. It is always mounted, so that screen readers observe it. */
export function Toasts() {
  const message = useToast((state) => state.current);
  return (
    <div className={css.region} role="status">
      {message && (
        <div className={css.toast}>
          <p>{message.text}</p>
          {message.action && (
            <button
              type="button"
              onClick={() => {
                dismissToast();
                message.action?.run();
              }}
            >
              {message.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
