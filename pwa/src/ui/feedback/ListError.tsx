import { t } from '@lingui/core/macro';
import { Button } from '../Button.tsx';
import { useOnline } from '../browser-state.ts';
import { Note } from './Note.tsx';

interface ListErrorProps {
  /** The error that is shown while the device is online. */
  text: string;
  /** The text that is shown while the device is offline. */
  offlineText: string;
  /** The age of the shown list, such as '2 hours ago'. Null without a list. */
  age: string | null;
  onRetry: () => void;
}

/** Says why a list is missing or old. */
export function ListError({ text, offlineText, age, onRetry }: ListErrorProps) {
  const isOnline = useOnline();
  return (
    <Note tone="amber" icon={isOnline ? 'warning' : 'offline'} alert>
      <div className="row">
        <p>
          {isOnline ? text : offlineText}
          {age && <> {t`As of ${age}.`}</>}
        </p>
        {isOnline && <Button onClick={onRetry}>{t`Try Again`}</Button>}
      </div>
    </Note>
  );
}
