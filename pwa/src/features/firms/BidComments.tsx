import { t } from '@lingui/core/macro';
import { MAX_COMMENT_CHARACTERS } from '@nivida/contract/bids/records';
import { formatDateTime } from '@nivida/contract/format';
import { currentTime } from '../../data/clock.ts';
import { useRecords } from '../../data/records/useRecords.ts';
import { useOwner } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { FormElement, TextAreaField } from '../../ui/form/FormFields.tsx';
import { type CheckedForm, useForm } from '../../ui/form/useForm.ts';
import css from './firms.module.css';
import { memberName } from './member-name.ts';
import { usePresentFirm } from './useFirms.ts';

const loadRecords = () => import('../../data/records/records.ts');

async function remove(id: string): Promise<void> {
  const { removeRecord } = await loadRecords();
  await removeRecord('comment', id, currentTime().getTime());
}

/** What the firm's members write about a bid, oldest first. A comment is written once; its author may delete it. */
export function BidComments({ bidId }: { bidId: string }) {
  const userId = useOwner();
  const firm = usePresentFirm();
  const rows = useRecords('comment');
  const form = useForm({ text: '' });
  const comments = (rows ?? [])
    .filter(({ fields }) => fields.bidId === bidId)
    .sort((one, other) => ((one.fields.createdAt ?? '') < (other.fields.createdAt ?? '') ? -1 : 1));
  const submit = () => {
    const text = form.values.text.trim();
    const checked: CheckedForm<string> =
      text === '' ? { errors: { text: t`Please write something` } } : { sent: text, errors: {} };
    return form.submit(
      checked,
      async (sent) => {
        const now = currentTime();
        const fields = { bidId, by: userId, text: sent, createdAt: now.toISOString() };
        const { newRecordId, saveRecord } = await loadRecords();
        await saveRecord('comment', newRecordId(), fields, now.getTime());
        form.reset();
      },
      () => ({ text: t`The comment was not saved. Free some storage and try again.` }),
    );
  };
  return (
    <>
      {comments.length === 0 && rows && (
        <p className="muted">{t`No comments yet. All members of the firm read them.`}</p>
      )}
      <ol className={css.comments}>
        {comments.map(({ id, fields }) => (
          <li key={id} className={css.comment}>
            <div className={css.by}>
              <span className="xs muted">
                <b>{firm && memberName(firm, fields.by)}</b>
                {fields.createdAt && ` · ${formatDateTime(fields.createdAt)}`}
              </span>
              {fields.by === userId && (
                <Button look="icon" aria-label={t`Delete my comment`} onClick={() => void remove(id)}>
                  <Icon name="close" small />
                </Button>
              )}
            </div>
            <p>{fields.text}</p>
          </li>
        ))}
      </ol>
      <FormElement form={form} onSubmit={submit}>
        <TextAreaField form={form} name="text" label={t`Comment`} rows={3} maxLength={MAX_COMMENT_CHARACTERS} />
        <ErrorText text={form.failure} />
        <div>
          <Button type="submit" look="main" busy={form.isBusy}>
            {t`Add the comment`}
          </Button>
        </div>
      </FormElement>
    </>
  );
}
